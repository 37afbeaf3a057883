import {
  certificateChallenges,
  certificateKeyTypes,
  certificateOrderCreateInput,
  certificateOrderInput,
  type CertificateOrder,
} from '@breakwater/contract';
import { useMemo } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useAccount } from '../../api/account.ts';
import {
  authorityChoices,
  clientChoices,
  dnsAccountChoices,
  dnsUsableBy,
  domainsOf,
} from '../../api/options.ts';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import type { Choices } from '../../kit/fields/choices.ts';
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
      <Authority control={control} clientId={order?.client_id ?? owner} />
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
  const find = useMemo(() => domainsOf(clientId), [clientId]);
  return <TagsInput control={control} name="domains" label={t.domains} hint={t.domainsHint} find={find} />;
}

/** By whom, and how it is proven. */
function Authority({ control, clientId }: { control: Control<Input>; clientId: number | undefined }) {
  const t = useText(certificateOrderText);
  const challenge = useWatch({ control, name: 'challenge' });
  const dnsAccounts = useDnsChoices(clientId);
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
          choices={dnsAccounts}
        />
      )}
    </>
  );
}

/** A customer has their own; operators name the platform's too. */
function useDnsChoices(clientId: number | undefined): Choices {
  const { role } = useAccount();
  return useMemo(
    () => (role === 'admin' ? dnsUsableBy(clientId ?? 'platform') : dnsAccountChoices),
    [role, clientId],
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
