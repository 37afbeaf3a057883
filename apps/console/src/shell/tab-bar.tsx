import { Box, IconButton } from '@mui/material';
import { Link, useRouter, type RouterHistory } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { Icon } from '../kit/icon.tsx';
import { Later } from '../kit/later.tsx';
import { lazyOverlay } from '../kit/lazy-overlay.ts';
import { useCurrentPage } from './nav/menu.ts';
import { exactly } from './nav/nav-link.tsx';
import { homePath } from './return-target.ts';
import { shellText } from './shell.text.ts';
import { openTabs, tabTitle, useOpenTabs, type OpenTab } from './tabs.ts';

const TabChoices = lazyOverlay(() => import('./tab-choices.tsx').then((module) => module.TabChoices));

/** The pages that are open, to go back to them and to close them. */
export function TabBar() {
  const t = useText(shellText).tabs;
  const tabs = useOpenTabs();
  const { screen, pathname, href } = useCurrentPage();
  const close = useClose();
  useReplaced();
  useEffect(() => {
    if (screen) openTabs.visit({ path: pathname, href, screen });
  }, [screen, pathname, href]);
  return (
    <Box
      component="nav"
      aria-label={t.label}
      sx={{ display: 'flex', alignItems: 'center', px: { xs: 1, sm: 2.5, md: 3.5 }, height: 40 }}
    >
      <Box
        component="ul"
        sx={{
          display: 'flex',
          gap: 0.5,
          flex: 1,
          minWidth: 0,
          m: 0,
          p: 0.5,
          listStyle: 'none',
          overflowX: 'auto',
          scrollbarWidth: 'none',
          // Mirrored, it runs to the left.
          maskImage: `linear-gradient(to right, transparent, #000 var(--fade-start, 0px), #000 calc(100% - var(--fade-end, 0px)), transparent)`,
        }}
        onScroll={({ currentTarget }) => fadeEdges(currentTarget)}
      >
        <Later>
          {tabs.map((tab) => (
            <Tab
              key={tab.path}
              tab={tab}
              current={tab.path === pathname}
              onClose={() => close(({ path }) => path !== tab.path)}
            />
          ))}
        </Later>
      </Box>
      <Later>
        <TabMenu onClose={close} pathname={pathname} />
      </Later>
    </Box>
  );
}

/** How much of a tab that is cut fades out, in px. */
const fade = 24;

/** Where tabs are out of sight, what is cut fades, so that one sees that there are more. */
function fadeEdges(list: HTMLElement): void {
  const before = Math.abs(list.scrollLeft);
  const after = list.scrollWidth - list.clientWidth - before;
  list.style.setProperty('--fade-start', before > 1 ? `${fade}px` : '0px');
  list.style.setProperty('--fade-end', after > 1 ? `${fade}px` : '0px');
}

/** A page that another took the place of in the browser's history, such as the form of what was just created, has no tab. */
function useReplaced(): void {
  const history: RouterHistory = useRouter().history;
  useEffect(() => {
    let before = history.location.pathname;
    return history.subscribe(({ location: { pathname }, action }) => {
      const left = before;
      before = pathname;
      if (action.type === 'REPLACE' && pathname !== left) openTabs.keep(({ path }) => path !== left);
    });
  }, [history]);
}

interface TabProps {
  tab: OpenTab;
  current: boolean;
  onClose: () => void;
}

function Tab({ tab, current, onClose }: TabProps) {
  const t = useText(shellText).tabs;
  const title = tabTitle(tab, useLanguage());
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const place = item.current;
    if (!current || !place) return undefined;
    // A title or a font that comes later makes tabs wider.
    const list = place.parentElement!;
    // Only the list: `scrollIntoView` would scroll the page below as well.
    const watch = new ResizeObserver(() => {
      const [its, room] = [place.getBoundingClientRect(), list.getBoundingClientRect()];
      list.scrollLeft +=
        Math.min(0, its.left - room.left - fade) + Math.max(0, its.right - room.right + fade);
      fadeEdges(list);
    });
    for (const element of list.children) watch.observe(element);
    watch.observe(list);
    return () => watch.disconnect();
  }, [current]);
  return (
    <Box
      component="li"
      ref={item}
      onAuxClick={(event) => {
        if (event.button !== 1) return;
        event.preventDefault();
        onClose();
      }}
      // A press of the middle button would start to scroll.
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
      onKeyDown={(event) => event.key === 'Delete' && onClose()}
      sx={[
        tabLook,
        current && { color: 'text.primary', bgcolor: 'background.paper', borderColor: 'divider' },
      ]}
    >
      <Link
        to={tab.href}
        title={title}
        activeOptions={exactly}
        {...(current ? { 'aria-current': 'page' as const } : {})}
      >
        {title}
      </Link>
      <IconButton
        size="small"
        aria-label={t.close(title)}
        onClick={onClose}
        sx={{ p: 0.25, color: 'inherit' }}
      >
        <Icon name="close" size={14} />
      </IconButton>
    </Box>
  );
}

function TabMenu({
  onClose,
  pathname,
}: {
  onClose: (keep: (tab: OpenTab) => boolean) => void;
  pathname: string;
}) {
  const t = useText(shellText).tabs;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const choose = (keep: (tab: OpenTab) => boolean) => () => {
    setAnchor(null);
    onClose(keep);
  };
  return (
    <>
      <IconButton
        size="small"
        aria-label={t.more}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="more" size={18} />
      </IconButton>
      {anchor && (
        <Suspense>
          <TabChoices
            anchor={anchor}
            choices={[
              { label: t.closeCurrent, onClick: choose(({ path }) => path !== pathname) },
              { label: t.closeOthers, onClick: choose(({ path }) => path === pathname) },
              { label: t.closeAll, onClick: choose(() => false) },
            ]}
            onClose={() => setAnchor(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/**
 * Closes tabs. Where the current page is among them, its neighbour is opened first, and the tab goes only once the
 * page was left: unsaved changes may hold it.
 */
function useClose() {
  const router = useRouter();
  return async (keep: (tab: OpenTab) => boolean) => {
    const { pathname } = router.state.location;
    const tabs = openTabs.get();
    const kept = tabs.filter(keep);
    if (!kept.some(({ path }) => path === pathname)) {
      const index = tabs.findIndex(({ path }) => path === pathname);
      const neighbour = tabs.slice(index + 1).find(keep) ?? tabs.slice(0, index).findLast(keep);
      const next = neighbour?.href ?? homePath;
      if (pathname === next) return openTabs.keep((tab) => keep(tab) || tab.path === pathname);
      await router.navigate({ to: next });
      if (router.state.location.pathname === pathname) return undefined;
    }
    const home = router.state.location.pathname;
    return openTabs.keep((tab) => keep(tab) || tab.path === home);
  };
}

const tabLook = {
  display: 'flex',
  alignItems: 'center',
  flexShrink: 0,
  gap: 0.5,
  height: 30,
  pl: 1.25,
  pr: 0.5,
  borderRadius: 1,
  border: 1,
  borderColor: 'transparent',
  color: 'text.secondary',
  fontSize: 13,
  fontWeight: 500,
  '&:hover': { bgcolor: 'action.hover' },
  '& a': {
    color: 'inherit',
    textDecoration: 'none',
    maxWidth: 200,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
} as const;
