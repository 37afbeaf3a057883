import { Button, Stack, Typography } from '@mui/material';
import { useEffect } from 'react';
import { config } from '../api/config.ts';
import { useText } from '../i18n/text.ts';
import { Icon } from '../kit/icon.tsx';
import { shellText } from './shell.text.ts';

/** The page at /404; an unknown path leads here. */
export function NotFound() {
  const t = useText(shellText);
  useEffect(() => {
    document.title = `${t.notFound.title} · ${config().app_name}`;
  }, [t]);
  return (
    <Stack
      component="main"
      sx={{
        minHeight: '100vh',
        alignItems: 'center',
        justifyContent: 'center',
        textAlign: 'center',
        gap: 1.5,
        p: 3,
      }}
    >
      <Icon name="site" size={88} sx={{ color: 'primary.main', mb: 1 }} />
      <Typography component="h1" variant="h3">
        {t.notFound.title}
      </Typography>
      <Typography sx={{ color: 'text.secondary', maxWidth: 440, mb: 2 }}>{t.notFound.body}</Typography>
      <Button variant="contained" size="large" href="/">
        {t.error.home}
      </Button>
    </Stack>
  );
}
