import { accountLimits } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput } from '../../kit/fields/inputs.tsx';
import { SettingOf } from './setting-of.tsx';
import { settingText } from './setting.text.ts';

/**
 * How much one account may ask for, with all its sessions and API tokens together. What is beyond it is refused with 429.
 */
export function AccountLimitsForm() {
  const t = useText(settingText);
  const read = useFormRead('getAccountLimits', {});
  const update = useChange('updateAccountLimits');
  return (
    <SettingOf
      schema={accountLimits}
      read={read}
      route="updateAccountLimits"
      save={(body) => update.mutateAsync({ body })}
      title={t.limits}
      hint={t.limitsHint}
    >
      {({ control }) => (
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, pt: 1 }}>
          <NumberInput
            control={control}
            name="requests_per_minute"
            label={t.requestsPerMinute}
            hint={t.requestsHint}
          />
          <NumberInput
            control={control}
            name="expensive_per_minute"
            label={t.expensivePerMinute}
            hint={t.expensiveHint}
          />
          <NumberInput control={control} name="uploads_per_hour" label={t.uploadsPerHour} />
          <NumberInput
            control={control}
            name="refreshes_per_hour"
            label={t.refreshesPerHour}
            hint={t.refreshesHint}
          />
        </Box>
      )}
    </SettingOf>
  );
}
