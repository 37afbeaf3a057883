import { Box } from '@mui/material';
import { errorColour } from './error-colour.ts';
import { formatBitRate, formatBytes, formatCount, formatMoney } from './format.ts';
import { Hint } from './hint.tsx';

/** Amounts in a unit that suits them; the exact number on hover. What is absent is a dash. */
interface AmountProps {
  value: number | null | undefined;
}

function Amount({ text, exact }: { text: string; exact: string }) {
  return (
    <Hint title={exact}>
      <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
        {text}
      </Box>
    </Hint>
  );
}

const absent = (value: number | null | undefined): value is null | undefined =>
  value === null || value === undefined;

export function Bytes({ value }: AmountProps) {
  return absent(value) ? <>–</> : <Amount text={formatBytes(value)} exact={`${formatCount(value)} B`} />;
}

/** Bits per second. */
export function Rate({ value }: AmountProps) {
  return absent(value) ? (
    <>–</>
  ) : (
    <Amount text={formatBitRate(value)} exact={`${formatCount(Math.round(value))} bps`} />
  );
}

/** Minor units (分). What is owed or was taken stands out. */
export function Money({ value }: AmountProps) {
  if (absent(value)) return <>–</>;
  return (
    <Box component="span" sx={[{ whiteSpace: 'nowrap' }, value < 0 && errorColour]}>
      {formatMoney(value)}
    </Box>
  );
}
