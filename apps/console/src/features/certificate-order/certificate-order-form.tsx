import {
  certificateChallenges,
  certificateKeyTypes,
  certificateOrderCreateInput,
  certificateOrderInput,
  type CertificateOrder,
} from '@breakwater/contract';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useAccount, useMay } from '../../api/account.ts';
import { authorityChoices, clientChoices, dnsAccountChoices } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, SwitchInput, TagsInput, TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { certificateOrderText } from './certificate-order.text.ts';

type Input = z.input<typeof certificateOrderCreateInput>;

/**
 * An order at a certificate authority. `order` null: a new one; `clientId` is the customer that the list is narrowed to.
 */
export function CertificateOrderForm({
  order,
  clientId,
  onClose,
}: {
  order: CertificateOrder | null;
  clientId: number | undefined;
  onClose: () => void;
}) {
  const t = useText(certificateOrderText);
  const { role } = useAccount();
  // Whose it is is said once, by an administrator; it never changes hands.
  const namesClient = role === 'admin' && order === null;
  const schema = order === null ? certificateOrderCreateInput : certificateOrderInput;
  const { control, drawer } = useEntityDrawer(schema as typeof certificateOrderCreateInput, {
    get: 'getCertificateOrder',
    create: 'createCertificateOrder',
    update: 'updateCertificateOrder',
    entity: order,
    inputOf: (item) => ({ ...inputOf(item), ...(namesClient ? { client_id: clientId } : {}) }),
    text: t,
    onClose,
  });
  const owner = useWatch({ control, name: 'client_id' });
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      {namesClient && (
        <RemoteSelect
          control={control}
          name="client_id"
          label={t.client}
          placeholder={t.platform}
          hint={t.platformHint}
          choices={clientChoices}
        />
      )}
      {/* Undefined: the platform's own, or of the customer who is signed in. */}
      <Domains control={control} clientId={order?.client_id ?? owner} />
      <Authority control={control} />
      <SelectInput
        control={control}
        name="key_type"
        label={t.keyType}
        noneLabel={t.accountKeyType}
        options={certificateKeyTypes.map((value) => ({ value, label: t.keyTypes[value] }))}
      />
      <SwitchInput control={control} name="reuse_key" label={t.reuseKey} />
    </FormDrawer>
  );
}

/** Suggests those of the customer's sites. */
function Domains({ control, clientId }: { control: Control<Input>; clientId: number | undefined }) {
  const t = useText(certificateOrderText);
  const may = useMay()('listSites');
  const query = { page_size: 200, ...(clientId === undefined ? {} : { client_id: clientId }) };
  const sites = useApi('listSites', { query }, { enabled: may });
  const suggestions = (sites.data?.list ?? []).flatMap(({ domains }) => domains);
  return (
    <TagsInput
      control={control}
      name="domains"
      label={t.domains}
      hint={t.domainsHint}
      suggestions={suggestions}
    />
  );
}

/** By whom, and how it is proven. */
function Authority({ control }: { control: Control<Input> }) {
  const t = useText(certificateOrderText);
  const challenge = useWatch({ control, name: 'challenge' });
  return (
    <>
      <RemoteSelect
        control={control}
        name="acme_account_id"
        label={t.account}
        placeholder={t.anyAccount}
        choices={authorityChoices}
      />
      <SelectInput
        control={control}
        name="challenge"
        label={t.challenge}
        options={certificateChallenges.map((value) => ({ value, label: t.challenges[value] }))}
      />
      {challenge === 'dns-01' && (
        <RemoteSelect
          control={control}
          name="dns_account_id"
          label={t.dnsAccount}
          hint={t.dnsAccountHint}
          choices={dnsAccountChoices}
        />
      )}
    </>
  );
}

const inputOf = (order: CertificateOrder | null) => ({
  name: order?.name ?? '',
  domains: order?.domains ?? [],
  // Null: the platform's accounts in the order of their priority.
  acme_account_id: order?.acme_account_id ?? null,
  challenge: order?.challenge ?? ('http-01' as const),
  dns_account_id: order?.dns_account_id ?? null,
  // Null: as the account has it.
  key_type: order?.key_type ?? null,
  reuse_key: order?.reuse_key ?? false,
});
