import type { Language } from '@breakwater/contract';
import { ListItemIcon, Menu, MenuItem } from '@mui/material';
import { language, useLanguage } from '../i18n/language.ts';
import { Flag } from './flags.tsx';
import { languageNames } from './languages.text.ts';

export function LanguageChoices({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) {
  const current = useLanguage();
  return (
    <Menu anchorEl={anchor} open onClose={onClose}>
      {(Object.entries(languageNames) as [Language, string][]).map(([code, name]) => (
        <MenuItem
          key={code}
          lang={code}
          selected={code === current}
          onClick={() => {
            language.set(code);
            onClose();
          }}
        >
          <ListItemIcon>
            <Flag language={code} />
          </ListItemIcon>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
