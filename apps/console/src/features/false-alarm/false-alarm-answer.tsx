import { falseAlarmAnswer, falseAlarmOutcomes, type FalseAlarm } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { falseAlarmText } from './false-alarm.text.ts';

/**
 * What was made of a report, with an answer for whoever reported it. It changes no rule: that is done where the rule stands.
 */
export function FalseAlarmAnswer({ alarm, onClose }: { alarm: FalseAlarm; onClose: () => void }) {
  const t = useText(falseAlarmText);
  const handle = useChange('handleFalseAlarm');
  const form = useSchemaForm(falseAlarmAnswer, { outcome: 'exception', answer: '' });
  const { control } = form;
  const submit = submitForm(form, async (body) => {
    await handle.mutateAsync({ params: { id: alarm.id }, body });
    notify.success(t.handled);
    onClose();
  });
  return (
    <FormDrawer title={t.handle} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.handle}>
      <SelectInput
        control={control}
        name="outcome"
        label={t.outcome}
        options={falseAlarmOutcomes.map((value) => ({ value, label: t.outcomes[value] }))}
      />
      <TextInput control={control} name="answer" label={t.answer} hint={t.answerHint} rows={4} />
    </FormDrawer>
  );
}
