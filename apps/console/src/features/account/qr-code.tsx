import { Box } from '@mui/material';
import { encode } from 'uqr';

const modulePx = 4;

/** Black on white in dark schemes too: scanners look for it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      sx={{ width: size * modulePx, maxWidth: '100%', borderRadius: 1, bgcolor: 'common.white' }}
    >
      <path d={path} />
    </Box>
  );
}
