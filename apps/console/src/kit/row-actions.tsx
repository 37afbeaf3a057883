import { ListItemIcon, ListItemText, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
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
  /** Why the action is off; it is shown below its name. */
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
  return (
    <Menu anchorEl={anchor} open onClose={onClose} slotProps={{ paper: { sx: { minWidth: 160 } } }}>
      {actions.map(({ label, icon, onClick, destructive, disabledReason }) => (
        <MenuItem
          key={label}
          disabled={disabledReason !== undefined}
          sx={destructive ? errorColour : {}}
          onClick={() => {
            onClose();
            onClick();
          }}
        >
          <ListItemIcon sx={{ color: 'inherit' }}>
            <Icon name={icon} size={18} />
          </ListItemIcon>
          <ListItemText primary={label} secondary={disabledReason} />
        </MenuItem>
      ))}
    </Menu>
  );
}
