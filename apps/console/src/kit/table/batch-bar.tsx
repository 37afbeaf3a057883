import { Button, Stack, Typography } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../action-button.tsx';
import type { RowAction } from '../row-actions.tsx';
import type { Copied } from './copy-menu.tsx';
import { CopyRows } from './copy-rows.tsx';
import { tableText } from './table.text.ts';

interface BatchBarProps {
  count: number;
  actions: readonly RowAction[];
  copied: Copied;
  onClear: () => void;
}

/** What can be done with the rows that are selected. */
export function BatchBar({ count, actions, copied, onClear }: BatchBarProps) {
  const t = useText(tableText);
  return (
    <Stack
      direction="row"
      role="toolbar"
      aria-label={t.selected(count)}
      sx={(theme) => ({
        alignItems: 'center',
        flexWrap: 'wrap',
        gap: 1,
        px: 2,
        py: 1,
        bgcolor: theme.alpha(theme.vars!.palette.primary.main, 0.1),
      })}
    >
      <Typography variant="subtitle2" role="status" sx={{ mr: 1 }}>
        {t.selected(count)}
      </Typography>
      {actions.map(({ label, icon, onClick, destructive, disabledReason }) => (
        <ActionButton
          key={label}
          size="small"
          icon={icon}
          color={destructive ? 'error' : 'inherit'}
          onClick={onClick}
          disabledReason={disabledReason}
        >
          {label}
        </ActionButton>
      ))}
      <CopyRows copied={copied} />
      <Button size="small" color="inherit" onClick={onClear} sx={{ ml: 'auto' }}>
        {t.clearSelection}
      </Button>
    </Stack>
  );
}
