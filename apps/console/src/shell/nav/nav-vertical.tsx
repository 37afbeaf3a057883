import type { MenuEntry } from '@breakwater/contract';
import { Collapse } from '@mui/material';
import { styled } from '@mui/material/styles';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useRevealed } from '../../kit/use-revealed.ts';
import { MenuIcon } from './menu-icon.tsx';
import { holds, useActivePath, useCurrentPage, useMenu } from './menu.ts';
import { columnLook } from './nav-look.ts';
import { EntryEnd, PlainLink } from './nav-link.tsx';

/** The look of all entries is its own: each page begins with some twenty. */
const Room = styled('div')(columnLook);

/** Room for the menu that scrolls by itself, and to the page that one came to. */
export function NavScroll({ children }: { children: ReactNode }) {
  const { pathname } = useCurrentPage();
  return <Room ref={useRevealed('[aria-current=page]', pathname)}>{children}</Room>;
}

/** The menu as a column, its groups opening below their titles. */
export function NavVertical() {
  const menu = useMenu();
  const active = useActivePath();
  return menu.map(({ subheader, items }) => (
    <section key={subheader} aria-label={subheader}>
      <div className="subheader" aria-hidden="true">
        {subheader}
      </div>
      <ul>
        {items.map((entry) => (
          <Entry key={entry.title} entry={entry} active={active} depth={0} />
        ))}
      </ul>
    </section>
  ));
}

interface EntryProps {
  entry: MenuEntry;
  active: string | undefined;
  depth: number;
}

function Entry({ entry, active, depth }: EntryProps) {
  if (entry.children) return <Group entry={entry} entries={entry.children} active={active} depth={depth} />;
  return (
    <li>
      <PlainLink entry={entry} selected={active === entry.path} className="entry">
        <Look entry={entry} depth={depth} />
        <EntryEnd entry={entry} />
      </PlainLink>
    </li>
  );
}

function Group({ entry, entries, active, depth }: EntryProps & { entries: readonly MenuEntry[] }) {
  const id = useId();
  const current = holds(entry, active);
  const { pathname } = useCurrentPage();
  const [open, setOpen] = useState(current);
  // A group that one has left closes; the one that holds the page is open.
  useEffect(() => setOpen(current), [current, pathname]);
  return (
    <li>
      <button
        type="button"
        className={current ? 'entry current' : 'entry'}
        disabled={entry.disabled === true}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Look entry={entry} depth={depth} />
        <EntryEnd entry={entry} />
        <span className="arrow">
          <Icon name="down" size={14} />
        </span>
      </button>
      <Collapse in={open} id={id} timeout={120} unmountOnExit>
        <ul className="inner">
          {entries.map((child) => (
            <Entry key={child.title} entry={child} active={active} depth={depth + 1} />
          ))}
        </ul>
      </Collapse>
    </li>
  );
}

function Look({ entry, depth }: { entry: MenuEntry; depth: number }) {
  return (
    <>
      {depth === 0 && <MenuIcon name={entry.icon} />}
      <span className="words">
        <span title={entry.title}>{entry.title}</span>
        {entry.caption !== undefined && <small title={entry.caption}>{entry.caption}</small>}
      </span>
    </>
  );
}
