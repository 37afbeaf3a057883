import { Checkbox, IconButton, ListItemText, Menu, MenuItem, Tooltip } from '@mui/material';
import { useState } from 'react';
import { useText } from '../i18n/text.ts';
import { Icon } from './icon.tsx';
import { kitText } from './kit.text.ts';

interface ColumnChoiceProps {
  columns: readonly { id: string; header: string }[];
  visibility: Record<string, boolean>;
  onChange: (visibility: Record<string, boolean>) => void;
}

/** Chooses the columns of a table; the first one stays. */
export function ColumnChoice({ columns, visibility, onChange }: ColumnChoiceProps) {
  const t = useText(kitText);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title={t.columns}>
        <IconButton aria-label={t.columns} aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
          <Icon name="table" />
        </IconButton>
      </Tooltip>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {columns.slice(1).map(({ id, header }) => (
          <MenuItem
            key={id}
            dense
            role="menuitemcheckbox"
            aria-checked={visibility[id] !== false}
            onClick={() => onChange({ ...visibility, [id]: visibility[id] === false })}
          >
            <Checkbox size="small" checked={visibility[id] !== false} tabIndex={-1} disableRipple sx={{ p: 0.5, mr: 1 }} inert />
            <ListItemText primary={header} />
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
