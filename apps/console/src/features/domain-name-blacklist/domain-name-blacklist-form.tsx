import { blacklistKinds, domainNameBlacklistInput, type DomainNameBlacklist } from '@breakwater/contract';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { DomainInput } from '../../kit/fields/domain-input.tsx';
import { SelectInput, SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { domainNameBlacklistText } from './domain-name-blacklist.text.ts';

interface Props {
  entry: DomainNameBlacklist | null;
  onClose: () => void;
}

/** One entry: this name, this name with all below it, or a pattern with `*`. The reason is for operators alone. */
export function DomainNameBlacklistForm({ entry, onClose }: Props) {
  const t = useText(domainNameBlacklistText);
  const { control, drawer } = useEntityDrawer(domainNameBlacklistInput, {
    get: 'getDomainNameBlacklistEntry',
    create: 'createDomainNameBlacklistEntry',
    update: 'updateDomainNameBlacklistEntry',
    entity: entry,
    inputOf: (item) => ({
      name: item?.name ?? '',
      kind: item?.kind ?? ('subdomains' as const),
      reason: item?.reason ?? '',
      enabled: item?.enabled ?? true,
    }),
    text: t,
    onClose,
  });
  return (
    <FormDrawer {...drawer}>
      <SelectInput
        control={control}
        name="kind"
        label={t.kind}
        hint={t.kindHint}
        options={blacklistKinds.map((value) => ({ value, label: t.kinds[value] }))}
      />
      <DomainInput control={control} name="name" label={t.domain} autoFocus />
      <TextInput control={control} name="reason" label={t.reason} hint={t.reasonHint} rows={2} optional />
      <SwitchInput control={control} name="enabled" label={t.enabled} />
    </FormDrawer>
  );
}
