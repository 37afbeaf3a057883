import { Box, Drawer, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { ActionIcon } from './action-button.tsx';
import { kitText } from './kit.text.ts';
import { readable } from './readable.tsx';
import { readableDomains } from './domain-name.ts';

/** One record beside its list. Mount it to open it. */
export function InfoDrawer({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useText(kitText);
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': readableDomains(title),
          sx: { width: { xs: '100%', sm: 560 } },
        } as object,
      }}
    >
      <Stack
        direction="row"
        sx={{ alignItems: 'center', px: 3, py: 2, borderBottom: 1, borderColor: 'divider' }}
      >
        <Typography component="h2" variant="h6" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          {readable(title)}
        </Typography>
        <ActionIcon icon="close" label={t.close} onClick={onClose} />
      </Stack>
      <Box sx={{ p: 3, overflowY: 'auto' }}>{children}</Box>
    </Drawer>
  );
}
