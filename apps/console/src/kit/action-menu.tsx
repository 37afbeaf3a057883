import { ListItemIcon, ListItemText, Menu, MenuItem } from '@mui/material';
import { useId } from 'react';
import { errorColour } from './error-colour.ts';
import { Icon } from './icon.tsx';
import type { RowAction } from './row-actions.tsx';

interface ActionMenuProps {
  anchor: HTMLElement;
  actions: readonly RowAction[];
  onClose: () => void;
}

/** Drawn while it is open only: a list has one for each row. */
export function ActionMenu({ anchor, actions, onClose }: ActionMenuProps) {
  const id = useId();
  return (
    <Menu
      anchorEl={anchor}
      open
      onClose={onClose}
      // What is off is come by too: its reason is to be read.
      slotProps={{ paper: { sx: { minWidth: 160 } }, list: { disabledItemsFocusable: true } }}
    >
      {actions.map(({ label, icon, onClick, destructive, disabledReason }, index) => (
        <MenuItem
          key={label}
          disabled={disabledReason !== undefined}
          aria-labelledby={`${id}-${index}`}
          aria-describedby={disabledReason === undefined ? undefined : `${id}-${index}-why`}
          sx={destructive ? errorColour : {}}
          onClick={() => {
            onClose();
            onClick();
          }}
        >
          <ListItemIcon sx={{ color: 'inherit' }}>
            <Icon name={icon} size={18} />
          </ListItemIcon>
          <ListItemText
            primary={label}
            secondary={disabledReason}
            slotProps={{ primary: { id: `${id}-${index}` }, secondary: { id: `${id}-${index}-why` } }}
          />
        </MenuItem>
      ))}
    </Menu>
  );
}
