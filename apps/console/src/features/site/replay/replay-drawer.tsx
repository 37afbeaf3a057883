import type { ReplayAnswer } from '@breakwater/contract';
import { Alert, Button, LinearProgress, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import { useText } from '../../../i18n/text.ts';
import { InfoDrawer } from '../../../kit/info-drawer.tsx';
import { ReplayResult } from './replay-result.tsx';
import { siteReplayText } from './replay.text.ts';
import { useReplay, type ReplayDraft } from './use-replay.ts';

/** The server would take up to 31 days (`replayDaysMax`). */
const hoursOf = { hour: 1, day: 24, week: 168 } as const;
type Range = keyof typeof hoursOf;
const ranges = Object.keys(hoursOf) as Range[];

/** Empty while it runs. */
type State = { answer?: ReplayAnswer; failure?: string; isCancelled?: boolean };

/** A draft over requests of the past: it runs as it is opened, and ends when it is closed. */
export function ReplayDrawer({ draft, onClose }: { draft: ReplayDraft; onClose: () => void }) {
  const t = useText(siteReplayText);
  const [range, setRange] = useState<Range>('day');
  const { state, isRunning, run, cancel } = useRun(draft, range);
  return (
    <InfoDrawer title={t.title} onClose={onClose}>
      <Stack sx={{ gap: 3 }}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.hint}
        </Typography>
        <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
          <TextField
            select
            size="small"
            label={t.range}
            value={range}
            onChange={(event) => setRange(event.target.value as Range)}
            fullWidth={false}
            sx={{ minWidth: 180 }}
          >
            {ranges.map((each) => (
              <MenuItem key={each} value={each}>
                {t.ranges[each]}
              </MenuItem>
            ))}
          </TextField>
          {isRunning ? (
            <Button color="inherit" onClick={cancel}>
              {t.cancel}
            </Button>
          ) : (
            <Button onClick={run}>{t.again}</Button>
          )}
        </Stack>
        <div role="status">
          {isRunning && (
            <Stack sx={{ gap: 1 }}>
              <Typography variant="body2">{t.running}</Typography>
              <LinearProgress aria-label={t.running} />
            </Stack>
          )}
          {state.isCancelled && <Typography variant="body2">{t.cancelled}</Typography>}
        </div>
        {state.failure !== undefined && <Alert severity="error">{state.failure}</Alert>}
        {state.answer && <ReplayResult answer={state.answer} draft={draft} />}
      </Stack>
    </InfoDrawer>
  );
}

/**
 * Runs when the drawer opens, for another stretch, and again on request. What runs is ended first, and its answer passed over.
 */
function useRun(draft: ReplayDraft, range: Range) {
  const replay = useReplay();
  const [state, setState] = useState<State>({});
  const [running, setRunning] = useState<AbortController | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    setRunning(ending);
    setState({});
    replay(draft, hoursOf[range], ending.signal)
      .then((answer) => setState({ answer }))
      .catch((error: unknown) => {
        if (!ending.signal.aborted)
          setState({ failure: error instanceof Error ? error.message : String(error) });
      })
      // A run that was replaced must not end the indication of the one that replaced it.
      .finally(() => setRunning((current) => (current === ending ? null : current)));
    return () => ending.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The draft is what was in the form as the drawer was opened.
  }, [range, turn]);
  return {
    state,
    isRunning: running !== null,
    run: () => setTurn((before) => before + 1),
    cancel: () => {
      running?.abort();
      setRunning(null);
      setState({ isCancelled: true });
    },
  };
}
