import { Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { formatShare } from '../format.ts';
import { chartText } from './chart.text.ts';
import { totalOf, type Part } from './part.ts';
import { readable } from '../readable.tsx';

interface PartsTableProps {
  parts: readonly Part[];
  /** Of all, where the parts are the largest only. */
  total?: number;
  format: (value: number) => string;
  nameLabel?: string;
}

/** Parts of a whole, the largest first, and what is not among them. */
export function PartsTable({ parts, total = totalOf(parts), format, nameLabel }: PartsTableProps) {
  const t = useText(chartText);
  const rest = total - totalOf(parts);
  return (
    <Table size="small" stickyHeader>
      <TableHead>
        <TableRow>
          <TableCell>{nameLabel ?? t.name}</TableCell>
          <TableCell align="right">{t.value}</TableCell>
          <TableCell align="right">{t.share}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {parts
          .toSorted((a, b) => b.value - a.value)
          .map(({ name, value, label }) => (
            <TableRow key={name}>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>{readable(label ?? name)}</TableCell>
              <TableCell align="right">{format(value)}</TableCell>
              <TableCell align="right">{formatShare(total === 0 ? 0 : value / total)}</TableCell>
            </TableRow>
          ))}
        {rest > 0 && (
          <TableRow>
            <TableCell>{t.others}</TableCell>
            <TableCell align="right">{format(rest)}</TableCell>
            <TableCell align="right">{formatShare(rest / total)}</TableCell>
          </TableRow>
        )}
      </TableBody>
    </Table>
  );
}
