import { logRetention, type LogRetention } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput } from '../../kit/fields.tsx';
import { FormFrame, formWidth } from '../../kit/form-page.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { logStoreText } from './log-store.text.ts';

/** How long records and figures are kept, whichever engine keeps them. */
export function LogRetentionForm({ retention }: { retention: LogRetention }) {
  const t = useText(logStoreText);
  const kit = useText(kitText);
  const may = useMay();
  const update = useChange('updateLogRetention', ['getLogRetention']);
  const form = useSchemaForm(logRetention, retention);
  const submit = submitForm(form, async (body) => {
    form.reset(await update.mutateAsync({ body }));
    notify.success(t.saved);
  });
  return (
    <FormFrame
      form={form}
      onSubmit={submit}
      disabledReason={may('updateLogRetention') ? undefined : kit.noPermission}
    >
      <Section title={t.retention} hint={t.retentionHint}>
        <Box
          sx={{
            display: 'grid',
            gap: 3,
            gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
            pt: 1,
            maxWidth: formWidth,
          }}
        >
          <NumberInput
            control={form.control}
            name="record_days"
            label={t.recordDays}
            hint={t.recordDaysHint}
            unit={t.days}
          />
          <NumberInput
            control={form.control}
            name="rollup_days"
            label={t.rollupDays}
            hint={t.rollupDaysHint}
            unit={t.days}
          />
        </Box>
      </Section>
    </FormFrame>
  );
}
