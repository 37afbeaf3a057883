import type { CcGuardianRule } from '@breakwater/contract';
import { Alert, MenuItem, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import type { ApiError } from '../../../../api/client.ts';
import { useText } from '../../../../i18n/text.ts';
import { ActionButton } from '../../../../kit/action-button.tsx';
import { Section } from '../../../../kit/page.tsx';
import { notify } from '../../../../kit/toast.ts';
import { useNow } from '../../../../kit/use-now.ts';
import { useInheritedSave, useSectionHost } from '../../section/host.tsx';
import { siteGuardText } from './guard.text.ts';

interface EmergencyProps {
  latest: { version: number; value: CcGuardianRule };
  /** The form holds changes that this would save or lose. */
  isDirty: boolean;
}

/** Starts and ends the mode under attack for a time, each at once: whoever needs it is in the middle of an attack. */
export function EmergencyProtection({ latest, isDirty }: EmergencyProps) {
  const t = useText(siteGuardText);
  const { denied, onSent, undoOf } = useSectionHost();
  const save = useInheritedSave('cc_guardian_rule');
  const [busy, setBusy] = useState(false);
  const [seconds, setSeconds] = useState('3600');
  const [now] = useNow(10_000);
  const until = latest.value.attack_until;
  const leftMs = until === undefined ? 0 : Date.parse(until) - now;
  const isOn = leftMs > 0;
  const change = async (next: string | undefined) => {
    setBusy(true);
    try {
      // What is stored, and not what is in the form. Without `own`, each field stays set here or inherited as it was.
      const { attack_until: _former, ...rest } = latest.value;
      const value = next === undefined ? rest : { ...rest, attack_until: next };
      // Undefined: the effect of a level's change was shown, and not confirmed.
      const saved = await save({ version: latest.version, value });
      if (saved !== undefined) onSent(undoOf(saved.version), saved.version);
    } catch (error) {
      notify.refused((error as ApiError).message);
    }
    setBusy(false);
  };
  // Rounded up, so that what is still on never says 0.
  const minutes = Math.ceil(leftMs / 60_000);
  const left = t.attackLeft(Math.floor(minutes / 60), minutes % 60);
  return (
    <Section title={t.attack} hint={t.attackHint}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Alert severity={isOn ? 'warning' : 'info'} role="status" sx={{ flex: '1 1 260px' }}>
          {isOn ? t.attackOn(left) : t.attackOff}
        </Alert>
        {!isOn && (
          <TextField
            select
            size="small"
            label={t.attackTime}
            value={seconds}
            onChange={({ target }) => setSeconds(target.value)}
            fullWidth={false}
            sx={{ width: 160 }}
          >
            {Object.entries(t.attackTimes).map(([value, label]) => (
              <MenuItem key={value} value={value}>
                {label}
              </MenuItem>
            ))}
          </TextField>
        )}
        <ActionButton
          color={isOn ? 'inherit' : 'error'}
          variant="outlined"
          loading={busy}
          disabledReason={denied ?? (isDirty ? t.saveFirst : undefined)}
          onClick={() =>
            void change(isOn ? undefined : new Date(Date.now() + Number(seconds) * 1000).toISOString())
          }
        >
          {isOn ? t.attackEnd : t.attackStart}
        </ActionButton>
      </Stack>
    </Section>
  );
}
