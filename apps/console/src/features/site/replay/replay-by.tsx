import { replayDimensions, type ReplayAnswer, type ReplayDimension } from '@breakwater/contract';
import {
  MenuItem,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from '@mui/material';
import { useState } from 'react';
import { useText } from '../../../i18n/text.ts';
import { Country } from '../../../kit/country.tsx';
import { formatCount } from '../../../kit/format.ts';
import { siteReplayText } from './replay.text.ts';

/** Bots are answered apart from the other dimensions: of them it is told whether their address proves them. */
type View = ReplayDimension | 'robots';

/** Whose requests it would stop, and which. */
export function ReplayBy({ answer }: { answer: ReplayAnswer }) {
  const t = useText(siteReplayText);
  const [view, setView] = useState<View>('country');
  if (answer.by.every(({ list }) => list.length === 0)) return null;
  return (
    <Stack sx={{ gap: 1 }}>
      <TextField
        select
        size="small"
        label={t.byTitle}
        value={view}
        onChange={(event) => setView(event.target.value as View)}
        sx={{ maxWidth: 240 }}
      >
        {[...replayDimensions, 'robots' as const].map((each) => (
          <MenuItem key={each} value={each}>
            {each === 'robots' ? t.robots : t.by[each]}
          </MenuItem>
        ))}
      </TextField>
      {view === 'robots' ? <Robots answer={answer} /> : <Values answer={answer} dimension={view} />}
    </Stack>
  );
}

/** Four columns, in a drawer of a phone as well. */
const narrowCells = { '& th, & td': { px: 1, whiteSpace: 'normal' } } as const;

function Values({ answer, dimension }: { answer: ReplayAnswer; dimension: ReplayDimension }) {
  const t = useText(siteReplayText);
  const { list } = answer.by.find((each) => each.dimension === dimension)!;
  return (
    <Table size="small" aria-label={t.by[dimension]} sx={narrowCells}>
      <TableHead>
        <TableRow>
          <TableCell>{t.by[dimension]}</TableCell>
          <TableCell align="right">{t.newly}</TableCell>
          <TableCell align="right">{t.freed}</TableCell>
          <TableCell align="right">{t.stopped}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {list.map(({ value, name, newly, freed, stopped }) => (
          <TableRow key={value}>
            <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
              {dimension === 'country' && value !== '' ? <Country code={value} /> : name || value || '—'}
            </TableCell>
            <TableCell align="right">{formatCount(newly)}</TableCell>
            <TableCell align="right">{formatCount(freed)}</TableCell>
            <TableCell align="right">{formatCount(stopped)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Robots({ answer: { robots } }: { answer: ReplayAnswer }) {
  const t = useText(siteReplayText);
  if (robots.length === 0) return <Typography variant="body2">—</Typography>;
  return (
    <Table size="small" aria-label={t.robots}>
      <TableHead>
        <TableRow>
          <TableCell>{t.robots}</TableCell>
          <TableCell align="right">{t.newly}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {robots.map(({ robot, state, requests }) => (
          <TableRow key={`${robot} ${state}`}>
            <TableCell component="th" scope="row">
              {robot} · {t.robotStates[state]}
            </TableCell>
            <TableCell align="right">{formatCount(requests)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
