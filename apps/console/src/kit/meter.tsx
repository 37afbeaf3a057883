import { LinearProgress, Stack, Typography } from '@mui/material';
import { formatShare } from './format.ts';

/** A share from 0 to 1 as a bar; it warns from 80 %, alarms from 95 %. */
export function Meter({ share, label, detail }: { share: number; label: string; detail?: string }) {
  const colour = share >= 0.95 ? 'error' : share >= 0.8 ? 'warning' : 'primary';
  return (
    <Stack sx={{ gap: 0.25, minWidth: 90, lineHeight: 1 }}>
      <Stack direction="row" sx={{ justifyContent: 'space-between', columnGap: 1, flexWrap: 'wrap' }}>
        <Typography variant="caption" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {label}
        </Typography>
        <Typography variant="caption" sx={{ fontWeight: 600 }}>
          {detail ?? formatShare(share)}
        </Typography>
      </Stack>
      <LinearProgress
        variant="determinate"
        color={colour}
        value={Math.min(100, share * 100)}
        aria-label={label}
        sx={{ height: 5, borderRadius: 3 }}
      />
    </Stack>
  );
}
