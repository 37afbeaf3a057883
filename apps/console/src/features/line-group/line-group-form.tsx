import { lineGroupInput, shieldModes, type LineGroup } from '@breakwater/contract';
import { useWatch } from 'react-hook-form';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { UnfiledNotice } from '../../frame/unfiled-notice.tsx';
import { useText } from '../../i18n/text.ts';
import { SelectInput, SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { useFilledFrom } from '../../kit/form/form.tsx';
import { lineGroupText } from './line-group.text.ts';

/**
 * A line group: nodes that serve the same sites. With L2 some of them are asked by the others in place of origins
 * (docs/origin-shield.md).
 */
export function LineGroupForm({ lineGroup, onClose }: { lineGroup: LineGroup | null; onClose: () => void }) {
  const t = useText(lineGroupText);
  const { form, control, drawer } = useEntityDrawer(lineGroupInput, {
    get: 'getLineGroup',
    create: 'createLineGroup',
    update: 'updateLineGroup',
    entity: lineGroup,
    inputOf: (item) => ({
      name: item?.name ?? '',
      description: item?.description ?? '',
      l2_enable: item?.l2_enable ?? false,
      l2_mode: item?.l2_mode ?? 'cache',
      filing_required: item?.filing_required ?? false,
    }),
    text: t,
    onClose,
  });
  const isL2 = useWatch({ control, name: 'l2_enable' });
  const asksFiling = useWatch({ control, name: 'filing_required' }) === true;
  useFilledFrom(form, 'description', 'name');
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="description" label={t.description} rows={3} />
      <SwitchInput control={control} name="l2_enable" label={t.l2Enable} hint={t.l2EnableHint} />
      {isL2 === true && (
        <SelectInput
          control={control}
          name="l2_mode"
          label={t.l2Mode}
          hint={t.l2ModeHint}
          options={shieldModes.map((value) => ({ value, label: t.l2Modes[value] }))}
        />
      )}
      <SwitchInput
        control={control}
        name="filing_required"
        label={t.filingRequired}
        hint={t.filingRequiredHint}
      />
      {/* Which domains would stop being served is told before it is switched on. */}
      {asksFiling && lineGroup !== null && !lineGroup.filing_required && (
        <UnfiledNotice of={{ line_group_id: lineGroup.id }} />
      )}
    </FormDrawer>
  );
}
