import { logRetention, type LogRetention } from '@breakwater/contract';
import { isSame } from '@breakwater/contract/list-items';
import { Box, Stack } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Data } from '../../api/client.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useDenial } from '../../frame/denial.ts';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { NumberInput } from '../../kit/fields/inputs.tsx';
import { FormFrame, formWidth } from '../../kit/form/form-page.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { useVersionedForm } from '../../kit/form/versioned-form.tsx';
import { Lifecycle } from './log-lifecycle.tsx';
import { logStoreText } from './log-store.text.ts';

/** How long records and figures are kept, whichever engine keeps them. Less than before is asked twice: what is older goes. */
export function LogPolicyForm() {
  const read = useFormRead('getLogPolicy', {});
  return <Loaded read={read}>{(data) => <PolicyForm latest={data} refetch={read.refetch} />}</Loaded>;
}

interface PolicyFormProps {
  latest: Data<'getLogPolicy'>;
  refetch: ReturnType<typeof useFormRead<'getLogPolicy'>>['refetch'];
}

interface Asked {
  value: LogRetention;
  before: LogRetention;
  answer: (yes: boolean) => void;
}

function PolicyForm({ latest, refetch }: PolicyFormProps) {
  const t = useText(logStoreText);
  const kit = useText(kitText);
  const denial = useDenial();
  const update = useChange('updateLogPolicy');
  const offer = useUndo();
  const [asked, setAsked] = useState<Asked | null>(null);
  // The save waits for the answer, so that what is asked about is what will be saved, whatever is typed meanwhile.
  const agrees = (value: LogRetention, before: LogRetention) =>
    new Promise<boolean>((answer) => {
      setAsked({ value, before, answer });
    });
  const { form, submit, notice } = useVersionedForm(logRetention, {
    latest,
    save: async (value, base) => {
      const { version, value: before } = base;
      const { record_days: records, rollup_days: rollups } = value;
      const isShorter = records < before.record_days || rollups < before.rollup_days;
      // Undefined: it was not saved after all, and the form stays as it is.
      if (isShorter && !(await agrees(value, before))) return undefined;
      const saved = await update.mutateAsync({ body: { version, value } });
      // Less than before has been agreed to: what is older may be gone by now.
      const undoable = !isShorter && !isSame(value, before);
      const undo = () => update.mutateAsync({ body: { version: saved.version, value: before } });
      notify.success(t.saved, undoable ? offer(undo) : undefined);
      return { ...base, ...saved };
    },
    refetch,
  });
  return (
    <FormFrame form={form} onSubmit={submit} disabledReason={denial('updateLogPolicy')} notice={notice}>
      <Section title={t.retention} hint={t.retentionHint}>
        <Stack sx={{ gap: 3 }}>
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
          <Lifecycle lifecycle={latest.lifecycle} />
        </Stack>
      </Section>
      {asked && (
        <Confirm
          title={t.shorterTitle}
          body={lost(t, asked.before, asked.value).map((sentence) => (
            <div key={sentence}>{sentence}</div>
          ))}
          action={t.shorterAction}
          typed={kit.remove}
          onConfirm={async () => asked.answer(true)}
          onClose={() => {
            asked.answer(false);
            setAsked(null);
          }}
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
