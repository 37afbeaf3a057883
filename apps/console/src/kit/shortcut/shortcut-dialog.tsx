import { Box, Dialog, DialogContent, DialogTitle, Stack, Typography } from '@mui/material';
import { useId } from 'react';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { kitText } from '../kit.text.ts';
import { shortcutText } from './shortcut-help.text.ts';
import { onMac, type Combination, type ShortcutGroup } from './shortcut.ts';

export function ShortcutDialog({
  groups,
  onClose,
}: {
  groups: readonly ShortcutGroup[];
  onClose: () => void;
}) {
  const t = useText(shortcutText);
  const kit = useText(kitText);
  const titleId = useId();
  const general: ShortcutGroup = {
    title: t.general,
    shortcuts: [
      { keys: { key: '?' }, label: t.help },
      { keys: { key: 'Escape' }, label: t.leave },
    ],
  };
  const lists: ShortcutGroup = {
    title: t.lists,
    shortcuts: [
      { keys: { key: 'j' }, label: t.nextRow },
      { keys: { key: 'k' }, label: t.previousRow },
      { keys: { key: 'Enter' }, label: t.openRow },
      { keys: { key: 'x' }, label: t.selectRow },
      { keys: { key: '/' }, label: t.searchList },
    ],
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <Stack direction="row" sx={{ alignItems: 'center', pr: 2 }}>
        <DialogTitle id={titleId} sx={{ flex: 1 }}>
          {t.title}
        </DialogTitle>
        <ActionIcon icon="close" label={kit.close} onClick={onClose} />
      </Stack>
      <DialogContent>
        {[...groups, lists, general].map(({ title, shortcuts }) => (
          <Box key={title} component="section" sx={{ mb: 2 }}>
            <Typography component="h3" variant="subtitle2" sx={{ color: 'text.secondary', mb: 0.5 }}>
              {title}
            </Typography>
            <Box component="dl" sx={{ m: 0 }}>
              {shortcuts.map(({ keys, label }) => (
                <Stack
                  key={label}
                  direction="row"
                  sx={{ justifyContent: 'space-between', alignItems: 'center', gap: 2, py: 0.75 }}
                >
                  <Typography component="dt" variant="body2">
                    {label}
                  </Typography>
                  <Box component="dd" sx={{ m: 0 }}>
                    <Keys combination={keys} />
                  </Box>
                </Stack>
              ))}
            </Box>
          </Box>
        ))}
      </DialogContent>
    </Dialog>
  );
}

/** Keys as they are written on the keyboard. */
function Keys({ combination: { key: shown, command = false } }: { combination: Combination }) {
  const parts = [
    ...(command ? [onMac() ? '⌘' : 'Ctrl'] : []),
    shown === 'Escape' ? 'Esc' : shown.length === 1 ? shown.toUpperCase() : shown,
  ];
  return (
    <Stack component="span" direction="row" sx={{ gap: 0.5 }}>
      {parts.map((part) => (
        <Box
          key={part}
          component="kbd"
          sx={{
            px: 0.75,
            minWidth: 24,
            textAlign: 'center',
            border: 1,
            borderBottomWidth: 2,
            borderColor: 'divider',
            borderRadius: 0.75,
            bgcolor: 'action.hover',
            fontFamily: 'inherit',
            fontSize: 12,
            fontWeight: 600,
            lineHeight: '22px',
          }}
        >
          {part}
        </Box>
      ))}
    </Stack>
  );
}
