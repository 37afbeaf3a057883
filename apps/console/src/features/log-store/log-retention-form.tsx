import { logRetention, type LogRetention } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useState } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { NumberInput } from '../../kit/fields.tsx';
import { FormFrame, formWidth } from '../../kit/form-page.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { logStoreText } from './log-store.text.ts';

/** How long records and figures are kept, whichever engine keeps them. Less than before is asked twice: what is older goes. */
export function LogRetentionForm({ retention }: { retention: LogRetention }) {
  const t = useText(logStoreText);
  const kit = useText(kitText);
  const may = useMay();
  const update = useChange('updateLogRetention', ['getLogRetention']);
  const form = useSchemaForm(logRetention, retention);
  const [shorter, setShorter] = useState<LogRetention | null>(null);
  const save = async (body: LogRetention) => {
    form.reset(await update.mutateAsync({ body }));
    notify.success(t.saved);
  };
  const submit = submitForm(form, async (body) => {
    if (body.record_days < retention.record_days || body.rollup_days < retention.rollup_days)
      setShorter(body);
    else await save(body);
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
      {shorter && (
        <Confirm
          title={t.shorterTitle}
          body={lost(t, retention, shorter).map((sentence) => (
            <div key={sentence}>{sentence}</div>
          ))}
          action={t.shorterAction}
          typed={kit.remove}
          onConfirm={() => save(shorter)}
          onClose={() => setShorter(null)}
        />
      )}
    </FormFrame>
  );
}

/** What goes with shorter times. */
function lost(
  t: { recordsLost: (days: number) => string; figuresLost: (days: number) => string; lostForGood: string },
  before: LogRetention,
  next: LogRetention,
): string[] {
  return [
    ...(next.record_days < before.record_days ? [t.recordsLost(next.record_days)] : []),
    ...(next.rollup_days < before.rollup_days ? [t.figuresLost(next.rollup_days)] : []),
    t.lostForGood,
  ];
}
