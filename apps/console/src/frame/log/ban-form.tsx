import { rejectScopes, siteRejectInput, type SiteRejectInput } from '@breakwater/contract';
import { Button } from '@mui/material';
import { useWatch } from 'react-hook-form';
import { useChange } from '../../api/change.ts';
import { clientChoices, siteChoices } from '../../api/options.ts';
import { session } from '../../api/session.ts';
import { useText } from '../../i18n/text.ts';
import { DurationInput, SelectInput, SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { IpListInput } from '../../kit/fields/list-inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { banText } from './ban.text.ts';

const secondsOffered = 3600;

interface BanFormProps {
  of?: Partial<SiteRejectInput>;
  /** The network of the address, to be banned in its place. */
  network?: string | undefined;
  onClose: () => void;
}

/** Bans addresses by hand. */
export function BanForm({ of = {}, network, onClose }: BanFormProps) {
  const t = useText(banText);
  const isAdmin = session.role() === 'admin';
  const create = useChange('createSiteRejects');
  const form = useSchemaForm(siteRejectInput, {
    scope: 'site',
    remote_addrs: [],
    seconds: secondsOffered,
    reason: '',
    kernel: false,
    ...of,
  });
  const { control } = form;
  const scope = useWatch({ control, name: 'scope' });
  const submit = submitForm(form, async ({ site_id, client_id, kernel, ...values }) => {
    const { ids } = await create.mutateAsync({
      body: {
        ...values,
        ...(values.scope === 'site' ? { site_id } : {}),
        ...(values.scope === 'client' && isAdmin ? { client_id } : {}),
        ...(values.scope === 'platform' ? { kernel } : {}),
      },
    });
    notify.success(t.added(ids.length));
    onClose();
  });
  const scopes = isAdmin ? rejectScopes : rejectScopes.filter((each) => each !== 'platform');
  const labelOf = (each: (typeof rejectScopes)[number]) =>
    each === 'client' && !isAdmin ? t.ownScope : t.scopes[each];
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.add}>
      <SelectInput
        control={control}
        name="scope"
        label={t.scope}
        options={scopes.map((value) => ({ value, label: labelOf(value) }))}
      />
      {scope === 'site' && (
        <RemoteSelect control={control} name="site_id" label={t.site} choices={siteChoices} />
      )}
      {scope === 'client' && isAdmin && (
        <RemoteSelect control={control} name="client_id" label={t.client} choices={clientChoices} />
      )}
      <IpListInput control={control} name="remote_addrs" label={t.addresses} hint={t.addressesHint} />
      {network !== undefined && (
        <Button
          sx={{ alignSelf: 'flex-start' }}
          onClick={() =>
            form.setValue('remote_addrs', [network], { shouldDirty: true, shouldValidate: true })
          }
        >
          {t.wholeNetwork(network)}
        </Button>
      )}
      <DurationInput control={control} name="seconds" label={t.seconds} />
      <TextInput control={control} name="reason" label={t.note} />
      {scope === 'platform' && (
        <SwitchInput control={control} name="kernel" label={t.kernel} hint={t.kernelHint} />
      )}
    </FormDrawer>
  );
}
