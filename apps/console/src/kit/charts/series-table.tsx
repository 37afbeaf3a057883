import { Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { formatDateTime } from '../format.ts';
import { kitText } from '../kit.text.ts';
import type { Series } from './series.ts';

interface SeriesTableProps {
  series: readonly Series[];
  format: (value: number) => string;
}

/** The values of a chart for those who cannot see it. */
export function SeriesTable({ series, format }: SeriesTableProps) {
  const t = useText(kitText);
  const language = useLanguage();
  const times = (series[0]?.points ?? []).map((point, index) => ({ time: point.time, index }));
  const rows = times
    .filter(({ index }) => series.some(({ points }) => (points[index]?.value ?? null) !== null))
    .toReversed();
  if (rows.length === 0) return <Typography variant="body2">{t.noChartData}</Typography>;
  return (
    <Table size="small" stickyHeader>
      <TableHead>
        <TableRow>
          <TableCell>{t.time}</TableCell>
          {series.map(({ name }) => (
            <TableCell key={name} align="right">
              {name}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map(({ time, index }) => (
          <TableRow key={time}>
            <TableCell>{formatDateTime(time, language)}</TableCell>
            {series.map(({ name, points }) => (
              <TableCell key={name} align="right">
                {points[index]?.value === null || points[index] === undefined
                  ? '–'
                  : format(points[index].value)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
