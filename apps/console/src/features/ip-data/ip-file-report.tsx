import type { CheckedIpFile } from '@breakwater/contract';
import {
  Stack,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { formatCount } from '../../kit/format.ts';
import { Bytes } from '../../kit/amounts.tsx';
import { Country } from '../../kit/country.tsx';
import { Facts } from '../../kit/facts.tsx';
import { placesText } from '../../domain/places.text.ts';
import { Time } from '../../kit/time.tsx';
import { ipDataText } from './ip-data.text.ts';

const kinds = ['countries', 'provinces', 'carriers', 'asns'] as const;

/** What was found in a file, with examples. */
export function IpFileReportView({ file: { name, bytes, report } }: { file: CheckedIpFile }) {
  const t = useText(ipDataText);
  const found = kinds.filter((kind) => report[kind] > 0);
  return (
    <Stack sx={{ gap: 2 }} role="region" aria-label={t.found}>
      <Typography variant="subtitle2" component="h3">
        {t.found}
      </Typography>
      <Facts
        columns={4}
        facts={[
          { label: t.name, value: name, wide: true },
          { label: t.type, value: report.database_type },
          { label: t.dataDate, value: <Time at={report.built_at} /> },
          { label: t.size, value: <Bytes value={bytes} /> },
          ...found.map((kind) => ({
            label: t.foundIn[kind],
            value: t.counted(formatCount(report[kind])),
          })),
        ]}
      />
      <Samples samples={report.samples} />
    </Stack>
  );
}

function Samples({ samples }: { samples: CheckedIpFile['report']['samples'] }) {
  const t = useText(ipDataText);
  const { provinceNames, carrierNames } = useText(placesText);
  if (samples.length === 0) return null;
  // Codes that are not known here are shown as they are.
  const named = (names: object, code: string) => (names as Record<string, string>)[code] ?? code;
  type Sample = (typeof samples)[number];
  const partsOf = ({ province, carrier, asn }: Pick<Sample, 'province' | 'carrier' | 'asn'>) =>
    [named(provinceNames, province), named(carrierNames, carrier), asn === null ? '' : `AS${asn}`].filter(
      (part) => part !== '',
    );
  return (
    <TableContainer tabIndex={0}>
      <Table size="small" aria-label={t.samples}>
        <TableHead>
          <TableRow>
            <TableCell>{t.address}</TableCell>
            <TableCell>{t.samples}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {samples.map(({ address, country, ...rest }) => (
            <TableRow key={address}>
              <TableCell>{address}</TableCell>
              <TableCell>
                {country !== '' && <Country code={country} />}
                {partsOf(rest).map((part, index) => `${index === 0 && country === '' ? '' : ' · '}${part}`)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
