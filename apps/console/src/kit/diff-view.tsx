import { Box, Stack, Typography } from '@mui/material';
import { useText } from '../i18n/text.ts';
import { monospace } from '../theme/theme.ts';
import { kitText } from './kit.text.ts';

interface DiffEntry {
  path: string;
  before?: unknown;
  after?: unknown;
  /** Of an item of a list that moved: its place before, from 0. */
  from?: number | undefined;
}

/** A value as it is kept. */
export function RawValue({ value }: { value: unknown }) {
  const t = useText(kitText);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return <>{text === undefined || text === '' ? t.absent : text}</>;
}

/** Changed values: a line that goes, a line that comes. */
export function DiffView({ entries }: { entries: readonly DiffEntry[] }) {
  return (
    <Stack sx={{ gap: 1 }}>
      {entries.map((entry) => (
        <Box
          key={`${entry.from} ${entry.path} ${entry.after === undefined}`}
          sx={{ border: 1, borderColor: 'divider', borderRadius: 1, overflow: 'hidden' }}
        >
          <Typography
            variant="caption"
            component="div"
            sx={{
              px: 1.5,
              py: 0.5,
              bgcolor: 'action.hover',
              fontFamily: monospace,
              overflowWrap: 'anywhere',
            }}
          >
            {entry.from === undefined ? entry.path : `${entry.from} → ${entry.path}`}
          </Typography>
          {entry.before !== undefined && <Line sign="−" value={entry.before} tone="error" />}
          {entry.after !== undefined && <Line sign="+" value={entry.after} tone="success" />}
        </Box>
      ))}
    </Stack>
  );
}

function Line({ sign, value, tone }: { sign: string; value: unknown; tone: 'error' | 'success' }) {
  const t = useText(kitText);
  return (
    <Box
      sx={(theme) => ({
        display: 'flex',
        gap: 1,
        px: 1.5,
        py: 0.5,
        fontFamily: monospace,
        fontSize: 13,
        bgcolor: theme.alpha(theme.vars!.palette[tone].main, 0.1),
      })}
    >
      <span role="img" aria-label={tone === 'error' ? t.before : t.after}>
        {sign}
      </span>
      <Box component="span" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', minWidth: 0 }}>
        {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      </Box>
    </Box>
  );
}
