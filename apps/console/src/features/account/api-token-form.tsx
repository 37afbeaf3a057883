import { apiTokenInput, tokenPermissions, type Permission } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { useHolder, useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { siteChoices } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { DateTimeInput } from '../../kit/fields/date-time-input.tsx';
import { IpListInput } from '../../kit/fields/list-inputs.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { PermissionsInput } from '../../kit/fields/permissions-input.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { accountText } from './account.text.ts';
import { OwnPasswordInput } from './fields.tsx';

interface ApiTokenFormProps {
  onToken: (token: string) => void;
  onClose: () => void;
}
/** Long enough for a script to be worth setting up, short enough for a forgotten token to end. */
const usualDays = 90;

/**
 * A token for programs: a part of what one may do, for a time, from some networks and for some sites. The password
 * is asked for, as the token outlasts the session.
 */
export function ApiTokenForm({ onToken, onClose }: ApiTokenFormProps) {
  const t = useText(accountText).tokens;
  const { permissions: held } = useHolder();
  const may = useMay();
  // A token has no more than its owner: what one does not hold cannot be given to it.
  const grantable = useMemo(() => tokenPermissions.filter((name) => held.has(name)), [held]);
  // Taken once: a default that moved with the clock would be a change that nobody made.
  const [usualEnd] = useState(() => new Date(Date.now() + usualDays * 86_400_000).toISOString());
  const create = useChange('createApiToken');
  const form = useSchemaForm(apiTokenInput, {
    name: '',
    permissions: [] as Permission[],
    expires_at: usualEnd,
    networks: [],
    site_ids: [] as number[],
    password: '',
  });
  const { control } = form;
  const submit = submitForm(form, async (body) => onToken((await create.mutateAsync({ body })).token));
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.addSubmit}>
      <TextInput control={control} name="name" label={t.name} hint={t.nameHint} autoFocus />
      <DateTimeInput control={control} name="expires_at" label={t.expires} hint={t.expiresHint} />
      <IpListInput control={control} name="networks" label={t.networks} hint={t.networksHint} rows={2} />
      {may('listSites') && (
        <RemoteMultiSelect
          control={control}
          name="site_ids"
          label={t.sites}
          hint={t.sitesHint}
          choices={siteChoices}
        />
      )}
      <PermissionsInput
        control={control}
        name="permissions"
        label={t.permissions}
        names={grantable}
        grantable={new Set(grantable)}
      />
      <OwnPasswordInput control={control} name="password" />
    </FormDrawer>
  );
}
