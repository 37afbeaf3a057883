import { Box, LinearProgress } from '@mui/material';
import { useText } from '../i18n/text.ts';
import { kitText } from '../kit/kit.text.ts';

export function FullScreenLoading() {
  const t = useText(kitText);
  return (
    <Box role="status" aria-label={t.loading} sx={{ position: 'fixed', inset: 0, display: 'grid', placeItems: 'center' }}>
      <LinearProgress sx={{ width: 240, borderRadius: 2 }} />
    </Box>
  );
}
