import { Box } from '@mui/material';

export function Logo({ size = 32 }: { size?: number }) {
  return <Box component="img" src="/favicon.svg" alt="" width={size} height={size} sx={{ flexShrink: 0 }} />;
}
