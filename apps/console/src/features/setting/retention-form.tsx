import { retention, type Retention } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput } from '../../kit/fields.tsx';
import { useSchemaForm } from '../../kit/form.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SettingFrame } from './setting-frame.tsx';
import { settingText } from './setting.text.ts';

/** How long is kept what the control plane writes down of its own work. */
export function RetentionForms() {
  const read = useApi('getRetention', {});
  return <Loaded read={read}>{(data) => <RetentionForm setting={data} />}</Loaded>;
}

function RetentionForm({ setting }: { setting: Retention }) {
  const t = useText(settingText);
  const update = useChange('updateRetention', ['getRetention']);
  const form = useSchemaForm(retention, setting);
  const { control } = form;
  return (
    <SettingFrame
      form={form}
      route="updateRetention"
      save={(body) => update.mutateAsync({ body })}
      title={t.retention}
      hint={t.retentionHint}
    >
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, pt: 1 }}>
        <NumberInput control={control} name="operation_log_days" label={t.operationLogDays} unit={t.days} />
        <NumberInput control={control} name="task_days" label={t.taskDays} unit={t.days} />
        <NumberInput control={control} name="site_revision_days" label={t.siteRevisionDays} unit={t.days} />
        <NumberInput control={control} name="site_batch_days" label={t.siteBatchDays} unit={t.days} />
      </Box>
    </SettingFrame>
  );
}
