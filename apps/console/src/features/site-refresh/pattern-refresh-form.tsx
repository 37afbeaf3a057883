import { siteRefreshModes, siteRefreshRoutes } from '@breakwater/contract';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { useChange } from '../../api/change.ts';
import { siteChoices } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput, SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { siteRefreshText } from './site-refresh.text.ts';

const { shape } = siteRefreshRoutes.createPatternRefresh.body;
const typed = z.strictObject({ ...shape, mode: shape.mode.unwrap(), rate: shape.rate.unwrap() });

/** Of operators: nodes look through all that they have stored. */
export function PatternRefreshForm({ onClose }: { onClose: () => void }) {
  const t = useText(siteRefreshText);
  const create = useChange('createPatternRefresh');
  const form = useSchemaForm(typed, { site_id: undefined, pattern: '', mode: 'delete', rate: 200 });
  const { control } = form;
  const mode = useWatch({ control, name: 'mode' });
  const submit = submitForm(form, async (body) => {
    await create.mutateAsync({ body });
    notify.success(t.pattern.saved);
    onClose();
  });
  return (
    <FormDrawer
      title={t.pattern.add}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.pattern.add}
    >
      <RemoteSelect control={control} name="site_id" label={t.pattern.site} choices={siteChoices} />
      <TextInput
        control={control}
        name="pattern"
        label={t.pattern.pattern}
        hint={t.pattern.hint}
        placeholder="^/images/.*\.png"
        monospaced
      />
      <NumberInput control={control} name="rate" label={t.pattern.rate} hint={t.pattern.rateHint} />
      <SelectInput
        control={control}
        name="mode"
        label={t.mode}
        hint={t.modeHints[mode]}
        options={siteRefreshModes.map((value) => ({ value, label: t.modes[value] }))}
      />
    </FormDrawer>
  );
}
