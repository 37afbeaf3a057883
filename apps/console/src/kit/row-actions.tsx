import { ListItemIcon, ListItemText, Menu, MenuItem } from '@mui/material';
import { useId, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { errorColour } from './error-colour.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { kitText } from './kit.text.ts';

export interface RowAction {
  label: string;
  icon: IconName;
  onClick: () => void;
  destructive?: boolean;
  /** Why the action is off; it is shown below its name, and is its description. */
  disabledReason?: string | undefined;
}

interface RowActionsProps {
  name: string;
  /** Asked when the menu opens. */
  actions: () => readonly RowAction[];
}

export function RowActions({ name, actions }: RowActionsProps) {
  const t = useText(kitText);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (actions().length === 0) return null;
  return (
    <>
      <button
        type="button"
        // Plain, with its look in the theme: a list has one in each row.
        className="icon-button"
        aria-label={t.rowActions(name)}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="more" />
      </button>
      {anchor && <ActionMenu anchor={anchor} actions={actions()} onClose={() => setAnchor(null)} />}
    </>
  );
}

interface ActionMenuProps {
  anchor: HTMLElement;
  actions: readonly RowAction[];
  onClose: () => void;
}

/** Drawn while it is open only: a list has a row's worth of these for each row. */
function ActionMenu({ anchor, actions, onClose }: ActionMenuProps) {
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
