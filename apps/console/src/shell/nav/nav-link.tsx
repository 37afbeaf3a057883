import type { MenuEntry } from '@breakwater/contract';
import { Box } from '@mui/material';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { Icon } from '../../kit/icon.tsx';
import { isExternal } from './menu.ts';
import { shellText } from '../shell.text.ts';

interface LinkProps {
  component: React.ElementType;
  [attribute: string]: unknown;
}

/** Else the router would call each entry current whose path the page's begins with, such as home's. */
export const exactly = { exact: true, includeSearch: false };

/** What makes a button of MUI lead where a menu entry does. */
export function linkTo({ path = '', disabled }: MenuEntry, selected: boolean): LinkProps {
  if (disabled) return { component: 'div', disabled: true };
  if (isExternal(path)) return { component: 'a', href: path, target: '_blank', rel: 'noopener' };
  return {
    component: Link,
    to: path,
    activeOptions: exactly,
    selected,
    ...(selected ? { 'aria-current': 'page' } : {}),
  };
}

interface PlainLinkProps {
  entry: MenuEntry;
  selected: boolean;
  className: string;
  children: ReactNode;
}

/** A menu entry as an element without styles of its own. */
export function PlainLink({ entry: { path = '', disabled }, selected, className, children }: PlainLinkProps) {
  if (disabled)
    return (
      <span className={className} aria-disabled="true">
        {children}
      </span>
    );
  if (isExternal(path))
    return (
      <a className={className} href={path} target="_blank" rel="noopener">
        {children}
      </a>
    );
  return (
    <Link
      className={className}
      to={path}
      activeOptions={exactly}
      {...(selected ? { 'aria-current': 'page' } : {})}
    >
      {children}
    </Link>
  );
}

/** What stands behind the title of an entry: its badge, and that it leaves the console. */
export function EntryEnd({ entry }: { entry: MenuEntry }) {
  const t = useText(shellText);
  return (
    <>
      {entry.info !== undefined && (
        <Box component="span" sx={badgeLook}>
          {entry.info}
        </Box>
      )}
      {entry.path !== undefined && isExternal(entry.path) && (
        <Box component="span" sx={{ ml: 0.75, display: 'inline-flex', opacity: 0.72 }}>
          <Icon name="external" size={14} label={t.newTab} />
        </Box>
      )}
    </>
  );
}

const badgeLook = {
  ml: 1,
  px: 1,
  borderRadius: 1,
  fontSize: '0.75rem',
  lineHeight: '20px',
  fontWeight: 700,
  whiteSpace: 'nowrap',
  bgcolor: 'error.dark',
  color: 'common.white',
} as const;
