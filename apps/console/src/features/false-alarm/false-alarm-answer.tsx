import { falseAlarmAnswer, falseAlarmOutcomes, type FalseAlarm } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { NewsNotice, useAsSeen } from '../../frame/as-seen.tsx';
import { useText } from '../../i18n/text.ts';
import type { Fact } from '../../kit/facts.tsx';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { falseAlarmText } from './false-alarm.text.ts';

/** What was reported and done by now; who handled it is named once somebody did. */
const newsOf = (alarm: FalseAlarm, t: (typeof falseAlarmText)['zh']): Fact[] => [
  { label: t.note, value: alarm.note || '–', wide: true },
  {
    label: t.outcome,
    value: alarm.outcome === null ? t.states.open : `${t.outcomes[alarm.outcome]} · ${alarm.handled_by}`,
  },
  ...(alarm.outcome === null ? [] : [{ label: t.answer, value: alarm.answer || '–', wide: true }]),
];

/**
 * What was made of a report, with an answer for whoever reported it. It changes no rule: that is done where the rule stands.
 */
export function FalseAlarmAnswer({ alarm, onClose }: { alarm: FalseAlarm; onClose: () => void }) {
  const t = useText(falseAlarmText);
  const handle = useChange('handleFalseAlarm');
  const form = useSchemaForm(falseAlarmAnswer, { outcome: 'exception', answer: '' });
  const { control } = form;
  const { seen, asSeen, isNews } = useAsSeen('listFalseAlarms', alarm);
  const submit = submitForm(form, async (body) => {
    const isDone = await asSeen(({ id, version }) =>
      handle.mutateAsync({ params: { id }, body: { version, ...body } }),
    );
    if (!isDone) return;
    notify.success(t.handled);
    onClose();
  });
  return (
    <FormDrawer
      title={t.handle}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.handle}
      notice={isNews && <NewsNotice facts={newsOf(seen, t)} />}
    >
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
