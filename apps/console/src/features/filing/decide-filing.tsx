import type { Filing } from '@breakwater/contract';
import { Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { NewsNotice, useAsSeen } from '../../frame/as-seen.tsx';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { notify } from '../../kit/toast.ts';
import { filingText } from './filing.text.ts';

interface Props {
  filing: Filing;
  state: 'confirmed' | 'rejected';
  onClose: () => void;
}

/**
 * An operator's decision about a filing number. The version goes with it: a number that was changed meanwhile
 * is not confirmed unseen.
 */
export function DecideFiling({ filing, state, onClose }: Props) {
  const t = useText(filingText);
  const { mutateAsync } = useChange('decideFiling');
  const { seen, asSeen, isNews } = useAsSeen('listFilings', filing);
  const { name, number } = seen;
  const [typedHolder, setHolder] = useState<string>();
  const holder = typedHolder ?? seen.holder;
  const [note, setNote] = useState('');
  const confirms = state === 'confirmed';
  return (
    <Confirm
      title={confirms ? t.confirmTitle : t.rejectTitle}
      body={
        <Stack sx={{ gap: 2 }}>
          <span>{confirms ? t.confirmBody(name, number) : t.rejectBody(name)}</span>
          {isNews && (
            <NewsNotice
              facts={[
                { label: t.number, value: number },
                {
                  label: t.state,
                  value: [t.states[seen.state], seen.decided_by].filter(Boolean).join(' · '),
                },
                { label: t.holder, value: seen.holder },
                { label: t.note, value: seen.note },
              ]}
            />
          )}
          {confirms && (
            <TextField
              fullWidth
              label={t.holder}
              value={holder}
              onChange={({ target }) => setHolder(target.value)}
              // As the contract has it.
              slotProps={{ htmlInput: { maxLength: 200 } }}
            />
          )}
          <TextField
            fullWidth
            multiline
            label={t.note}
            helperText={t.noteHint}
            value={note}
            onChange={({ target }) => setNote(target.value)}
            slotProps={{ htmlInput: { maxLength: 500 } }}
          />
        </Stack>
      }
      action={confirms ? t.confirm : t.reject}
      destructive={!confirms}
      onConfirm={() =>
        asSeen(async ({ id, version }) => {
          await mutateAsync({ params: { id }, body: { version, state, holder, note } });
          notify.success(t.decided);
        })
      }
      onClose={onClose}
    />
  );
}
