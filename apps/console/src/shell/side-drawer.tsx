import { Drawer, Stack, Typography } from '@mui/material';
import { useId, type ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { ActionIcon } from '../kit/action-button.tsx';
import { headerHeight } from './nav/nav-look.ts';
import { shellText } from './shell.text.ts';

interface SideDrawerProps {
  open: boolean;
  onClose: () => void;
  title: string;
  widthPx: number;
  /** Between the title and the button that closes. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A drawer at the end of the line, with its title and a way to close it. */
export function SideDrawer({ open, onClose, title, widthPx, actions, children }: SideDrawerProps) {
  const t = useText(shellText);
  const titleId = useId();
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': titleId,
          sx: { width: `min(${widthPx}px, 100vw)` },
        } as object,
      }}
    >
      <Stack
        direction="row"
        sx={{ height: headerHeight, flexShrink: 0, alignItems: 'center', pl: 2.5, pr: 1.5, gap: 0.5 }}
      >
        <Typography id={titleId} component="h2" variant="h6" sx={{ flex: 1 }}>
          {title}
        </Typography>
        {actions}
        <ActionIcon icon="close" label={t.close} onClick={onClose} />
      </Stack>
      <Stack sx={{ flex: 1, minHeight: 0, overflowY: 'auto', px: 2.5, pb: 3, gap: 2.5 }}>{children}</Stack>
    </Drawer>
  );
}
