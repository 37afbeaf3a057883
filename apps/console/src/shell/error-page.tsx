import { Box, Button, Stack, Typography } from '@mui/material';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { FatalError } from '../api/fatal-error.ts';
import { useText } from '../i18n/text.ts';
import { ScreenLoadError, reloadWhenServed } from './lazy-screen.ts';
import { shellText } from './shell.text.ts';
import { SmallIcon } from './small-icons.tsx';

interface ErrorPageProps {
  error: unknown;
  reset: () => void | Promise<unknown>;
}

/** What is shown where a screen broke: the message, a retry, a way home. */
export function ErrorPage({ error, reset }: ErrorPageProps) {
  const t = useText(shellText);
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await (error instanceof ScreenLoadError ? reloadWhenServed() : reset());
    setBusy(false);
  };
  return (
    <Stack
      role="alert"
      sx={{
        minHeight: '70vh',
        alignItems: 'center',
        justifyContent: 'center',
        textAlign: 'center',
        gap: 2,
        p: 3,
      }}
    >
      <Box sx={{ color: 'warning.main', lineHeight: 0 }}>
        <SmallIcon name="warning" size={72} />
      </Box>
      <Typography component="h1" variant="h4">
        {t.error.title}
      </Typography>
      <Box sx={{ color: 'text.secondary', maxWidth: 560, overflowWrap: 'anywhere' }}>
        {error instanceof Error ? error.message : String(error)}
      </Box>
      <Stack direction="row" sx={{ gap: 1.5 }}>
        <Button variant="contained" loading={busy} onClick={() => void retry()}>
          {t.error.retry}
        </Button>
        <Button variant="outlined" color="inherit" href="/">
          {t.error.home}
        </Button>
      </Stack>
    </Stack>
  );
}

/** The same where the router shows it: what broke may have been a guard's or a screen's question, which is asked again. */
export function RouteError({ error, reset }: ErrorPageProps) {
  const router = useRouter();
  if (error instanceof FatalError) throw error;
  return (
    <ErrorPage
      error={error}
      reset={async () => {
        await reset();
        await router.invalidate();
      }}
    />
  );
}
