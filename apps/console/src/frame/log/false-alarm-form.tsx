import { falseAlarmInput, type AccessLogRow } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { reportText } from './false-alarm.text.ts';

/** Says that a request was taken for an attack and is none. */
export function FalseAlarmForm({ log, onClose }: { log: AccessLogRow; onClose: () => void }) {
  const t = useText(reportText);
  const report = useChange('reportFalseAlarm');
  const form = useSchemaForm(falseAlarmInput, { site_id: log.site_id, request_id: log.request_id, note: '' });
  const submit = submitForm(form, async (body) => {
    await report.mutateAsync({ body });
    notify.success(t.reported);
    onClose();
  });
  return (
    <FormDrawer title={t.report} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.report}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t.hint}
      </Typography>
      <TextInput control={form.control} name="note" label={t.note} rows={4} autoFocus />
    </FormDrawer>
  );
}
