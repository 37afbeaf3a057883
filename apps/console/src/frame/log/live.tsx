import { useId } from 'react';
import { Alert, Button, FormControlLabel, Stack, Switch, Typography } from '@mui/material';
import type { ApiError } from '../../api/client.ts';
import { useText } from '../../i18n/text.ts';
import { formatCount } from '../../kit/format.ts';
import { logText } from './log.text.ts';
import { Hint } from '../../kit/hint.tsx';

interface LiveSwitchProps {
  on: boolean;
  /** Why there is nothing to follow, if so. */
  reason: string | undefined;
  /** Rows that came since the search. */
  fresh: number;
  onChange: (on: boolean) => void;
}

/** Follows what is stored, and pauses that. */
export function LiveSwitch({ on, reason, fresh, onChange }: LiveSwitchProps) {
  const id = useId();
  const t = useText(logText);
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
      {on && fresh > 0 && (
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t.fresh(formatCount(fresh))}
        </Typography>
      )}
      <Hint describes title={reason ?? ''}>
        <FormControlLabel
          control={
            <Switch
              checked={on}
              onChange={(_, next) => reason === undefined && onChange(next)}
              slotProps={{ input: { 'aria-disabled': reason !== undefined, 'aria-describedby': id } }}
            />
          }
          label={t.live}
          sx={{ mr: 0, opacity: reason === undefined ? 1 : 0.5 }}
        />
      </Hint>
      <span id={id} hidden>
        {reason}
      </span>
    </Stack>
  );
}

interface NotShownProps {
  tail: { refused: ApiError | undefined };
  notShown: number;
  onSearch: () => void;
}

/** What the tail did not show, and why it shows nothing. */
export function NotShown({ tail, notShown, onSearch }: NotShownProps) {
  const t = useText(logText);
  if (tail.refused) return <Alert severity="warning">{t.notLive(tail.refused.message)}</Alert>;
  if (notShown === 0) return null;
  return (
    <Alert severity="info" action={<Button onClick={onSearch}>{t.again}</Button>}>
      {t.notShown(formatCount(notShown))}
    </Alert>
  );
}
