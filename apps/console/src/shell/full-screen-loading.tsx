import { Box } from '@mui/material';
import { useText } from '../i18n/text.ts';
import { shellText } from './shell.text.ts';

/** The whole window waits: for the server's addresses, for who is signed in, for a page's code. */
export function FullScreenLoading() {
  const t = useText(shellText);
  return (
    <Box
      role="status"
      aria-label={t.loading}
      sx={{ position: 'fixed', inset: 0, display: 'grid', placeItems: 'center' }}
    >
      <Box
        sx={(theme) => ({
          width: 240,
          height: 4,
          borderRadius: 2,
          overflow: 'hidden',
          bgcolor: theme.alpha(theme.vars!.palette.primary.main, 0.2),
        })}
      >
        <Box
          sx={{
            width: '40%',
            height: '100%',
            bgcolor: 'primary.main',
            '@keyframes pass': {
              from: { transform: 'translateX(-100%)' },
              to: { transform: 'translateX(250%)' },
            },
            animation: 'pass 1.2s ease-in-out infinite',
          }}
        />
      </Box>
    </Box>
  );
}
