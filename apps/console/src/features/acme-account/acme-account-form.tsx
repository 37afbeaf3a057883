import {
  acmeAccountInput,
  acmeDirectories,
  acmeDirectoryCodes,
  certificateKeyTypes,
  type AcmeAccount,
} from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useWatch } from 'react-hook-form';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput, SelectInput, SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { SecretInput } from '../../kit/fields/secret-input.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { acmeAccountText } from './acme-account.text.ts';

/** An account at a certificate authority that speaks ACME. Its key is made by the server and never shown. */
export function AcmeAccountForm({ account, onClose }: { account: AcmeAccount | null; onClose: () => void }) {
  const t = useText(acmeAccountText);
  const { control, drawer } = useEntityDrawer(acmeAccountInput, {
    get: 'getAcmeAccount',
    create: 'createAcmeAccount',
    update: 'updateAcmeAccount',
    entity: account,
    inputOf,
    text: t,
    onClose,
  });
  const directory = useWatch({ control, name: 'directory' });
  // External account binding (RFC 8555 §7.3.4): such an authority wants to know its customers by an account of its own.
  const asksForKey = directory === 'other' || acmeDirectories[directory].eab;
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <SelectInput
        control={control}
        name="directory"
        label={t.directory}
        options={acmeDirectoryCodes.map((value) => ({ value, label: t.directories[value] }))}
      />
      {directory === 'other' && (
        <>
          <TextInput
            control={control}
            name="directory_url"
            label={t.directoryUrl}
            placeholder="https://acme.example.com/directory"
          />
          <TextInput
            control={control}
            name="directory_ca"
            label={t.directoryCa}
            hint={t.directoryCaHint}
            rows={4}
            monospaced
            optional
          />
        </>
      )}
      {asksForKey && (
        <>
          <TextInput
            control={control}
            name="eab_key_id"
            label={t.eabKeyId}
            hint={t.eabHint}
            optional={directory === 'other'}
          />
          <SecretInput control={control} name="eab_hmac_key" label={t.eabHmacKey} removable />
        </>
      )}
      <TextInput control={control} name="email" type="email" label={t.email} hint={t.emailHint} optional />
      <SelectInput
        control={control}
        name="key_type"
        label={t.keyType}
        options={certificateKeyTypes.map((value) => ({ value, label: t.keyTypes[value] }))}
      />
      <TextInput control={control} name="profile" label={t.profile} hint={t.profileHint} optional />
      <NumberInput control={control} name="priority" label={t.priority} hint={t.priorityHint} />
      <Typography variant="subtitle2">{t.limits}</Typography>
      <Typography variant="body2" color="text.secondary">
        {t.limitsHint}
      </Typography>
      <NumberInput control={control} name="limit_domain_certificates" label={t.limitDomainCertificates} />
      <NumberInput control={control} name="limit_duplicates" label={t.limitDuplicates} />
      <NumberInput control={control} name="limit_orders" label={t.limitOrders} />
      <NumberInput control={control} name="limit_failures" label={t.limitFailures} />
      <SwitchInput
        control={control}
        name="renewals_exempt"
        label={t.renewalsExempt}
        hint={t.renewalsExemptHint}
      />
      <SwitchInput control={control} name="enabled" label={t.enabled} />
      <SwitchInput control={control} name="terms_agreed" label={t.terms} />
    </FormDrawer>
  );
}

/** A new one begins with Let's Encrypt, and a key that every browser of the last years takes. */
const inputOf = (account: AcmeAccount | null) => ({
  name: account?.name ?? '',
  directory: account?.directory ?? ('lets_encrypt' as const),
  directory_url: account?.directory_url ?? '',
  directory_ca: account?.directory_ca ?? '',
  email: account?.email ?? '',
  terms_agreed: account?.terms_agreed ?? false,
  eab_key_id: account?.eab_key_id ?? '',
  eab_hmac_key_set: account?.eab_hmac_key_set ?? false,
  key_type: account?.key_type ?? ('ecdsa_p256' as const),
  profile: account?.profile ?? '',
  priority: account?.priority ?? 10,
  enabled: account?.enabled ?? true,
  ...limitsOf(account),
});

/** As Let's Encrypt publishes them; 0 is not counted (`acmeLimitHours` of the contract has the hours). */
const limitsOf = (account: AcmeAccount | null) => ({
  limit_domain_certificates: account?.limit_domain_certificates ?? 50,
  limit_orders: account?.limit_orders ?? 300,
  limit_failures: account?.limit_failures ?? 5,
  limit_duplicates: account?.limit_duplicates ?? 5,
  renewals_exempt: account?.renewals_exempt ?? true,
});
