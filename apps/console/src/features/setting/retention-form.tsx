import { retention } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput } from '../../kit/fields/inputs.tsx';
import { SettingOf } from './setting-of.tsx';
import { settingText } from './setting.text.ts';

/**
 * How long is kept what the control plane writes down of its own work. How long access logs are kept is set at the log store.
 */
export function RetentionForms() {
  const t = useText(settingText);
  const read = useFormRead('getRetention', {});
  const update = useChange('updateRetention');
  return (
    <SettingOf
      schema={retention}
      read={read}
      route="updateRetention"
      save={(body) => update.mutateAsync({ body })}
      title={t.retention}
      hint={t.retentionHint}
    >
      {({ control }) => (
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, pt: 1 }}>
          <NumberInput control={control} name="operation_log_days" label={t.operationLogDays} unit={t.days} />
          <NumberInput control={control} name="task_days" label={t.taskDays} unit={t.days} />
          <NumberInput control={control} name="site_revision_days" label={t.siteRevisionDays} unit={t.days} />
          <NumberInput control={control} name="site_batch_days" label={t.siteBatchDays} unit={t.days} />
          <NumberInput control={control} name="violation_days" label={t.violationDays} unit={t.days} />
          <NumberInput control={control} name="event_days" label={t.eventDays} unit={t.days} />
        </Box>
      )}
    </SettingOf>
  );
}
