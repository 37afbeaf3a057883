import type { Language } from '@breakwater/contract';
import { IconButton, ListItemIcon, Menu, MenuItem, Tooltip } from '@mui/material';
import { useState } from 'react';
import { language, useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { useDark } from '../kit/dark.ts';
import { Icon } from '../kit/icon.tsx';
import { settings } from '../theme/settings.ts';
import { Flag } from './flags.tsx';
import { languageNames } from './languages.text.ts';
import { shellText } from './shell.text.ts';

export function LanguageMenu() {
  const t = useText(shellText);
  const current = useLanguage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title={t.language}>
        <IconButton aria-label={t.language} aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
          <Flag language={current} />
        </IconButton>
      </Tooltip>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {(Object.entries(languageNames) as [Language, string][]).map(([code, name]) => (
          <MenuItem
            key={code}
            lang={code}
            selected={code === current}
            onClick={() => {
              language.set(code);
              setAnchor(null);
            }}
          >
            <ListItemIcon>
              <Flag language={code} />
            </ListItemIcon>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

export function SchemeToggle() {
  const t = useText(shellText);
  const dark = useDark();
  const label = dark ? t.light : t.dark;
  const toggle = () => settings.set({ colorScheme: dark ? 'light' : 'dark' });
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={toggle}>
        <Icon name={dark ? 'sun' : 'moon'} size={22} />
      </IconButton>
    </Tooltip>
  );
}
