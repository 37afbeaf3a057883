import { Box, Button, Stack, Typography } from '@mui/material';
import { useText } from '../i18n/text.ts';
import { shellText } from './shell.text.ts';
import { SmallIcon } from './small-icons.tsx';

/** What is shown where a screen broke: the message, a retry, a way home. */
export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const t = useText(shellText);
  return (
    <Stack role="alert" sx={{ minHeight: '70vh', alignItems: 'center', justifyContent: 'center', textAlign: 'center', gap: 2, p: 3 }}>
      <Box sx={{ color: 'warning.main', lineHeight: 0 }}>
        <SmallIcon name="warning" size={72} />
      </Box>
      <Typography component="h1" variant="h4">
        {t.error.title}
      </Typography>
      <Box sx={{ color: 'text.secondary', maxWidth: 560, overflowWrap: 'anywhere' }}>{error instanceof Error ? error.message : String(error)}</Box>
      <Stack direction="row" sx={{ gap: 1.5 }}>
        <Button variant="contained" onClick={reset}>
          {t.error.retry}
        </Button>
        <Button variant="outlined" color="inherit" href="/">
          {t.error.home}
        </Button>
      </Stack>
    </Stack>
  );
}
