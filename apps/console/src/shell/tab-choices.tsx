import { Menu, MenuItem } from '@mui/material';

interface TabChoicesProps {
  anchor: HTMLElement;
  choices: readonly { label: string; onClick: () => void }[];
  onClose: () => void;
}

/** What can be done with all tabs at once. */
export function TabChoices({ anchor, choices, onClose }: TabChoicesProps) {
  return (
    <Menu anchorEl={anchor} open onClose={onClose}>
      {choices.map(({ label, onClick }) => (
        <MenuItem key={label} onClick={onClick}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
