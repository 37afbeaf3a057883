import { Box, Tab, Tabs, Typography, useMediaQuery, type Theme } from '@mui/material';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { Loading } from './loaded.tsx';
import { laterPart } from './later-part.tsx';
import { useRevealed } from './use-revealed.ts';

const TabFinder = laterPart(() => import('./tab-finder.tsx').then((part) => part.TabFinder));

export interface TabPage {
  id: string;
  label: string;
  /** Heading of the group that begins with this tab. Where there are groups, wide screens list the tabs at the side. */
  group?: string;
  /** What is on it, as somebody who looks for it may call it. */
  words?: string;
  content: () => ReactNode;
}

/** Tabs whose choice is in the address as `tab`; the first is the one without. */
export function UrlTabs({ label, tabs }: { label: string; tabs: readonly [TabPage, ...TabPage[]] }) {
  const search = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const wide = useMediaQuery((theme: Theme) => theme.breakpoints.up('lg'));
  const current = tabs.find((tab) => tab.id === search.tab) ?? tabs[0];
  const grouped = tabs.some(({ group }) => group !== undefined);
  const open = (id: string) =>
    void navigate({ to: '.', search: id === tabs[0].id ? {} : { tab: id }, resetScroll: false });
  const atSide = grouped && wide;
  // Tabs in groups are too many for one line.
  const inLine = !grouped;
  const side = useRevealed('[role=tab][aria-selected=true]', `${current.id} ${atSide}`);
  return (
    <Box sx={atSide ? { display: 'grid', gridTemplateColumns: '184px minmax(0, 1fr)', gap: 3 } : null}>
      <Box
        ref={side}
        sx={atSide ? sideStyle : inLine ? { borderBottom: 1, borderColor: 'divider', mb: 3 } : { mb: 3 }}
      >
        {grouped && (
          <Box sx={atSide ? finderStyle : { minHeight: 40, maxWidth: 360 }}>
            <TabFinder key={String(atSide)} tabs={tabs} onChoose={open} {...(atSide ? {} : { current })} />
          </Box>
        )}
        {(atSide || inLine) && (
          <TabList label={label} tabs={tabs} current={current} atSide={atSide} onChoose={open} />
        )}
      </Box>
      {/* In the same place at any width, so that a form on it stays as it is when a window is turned or resized. */}
      <div
        {...(atSide || inLine
          ? { role: 'tabpanel', id: `panel-${current.id}`, 'aria-labelledby': `tab-${current.id}` }
          : { role: 'region', 'aria-label': current.label })}
      >
        <Suspense key={current.id} fallback={<Loading />}>
          {current.content()}
        </Suspense>
      </div>
    </Box>
  );
}

interface TabListProps {
  label: string;
  tabs: readonly TabPage[];
  current: TabPage;
  atSide: boolean;
  onChoose: (id: string) => void;
}

function TabList({ label, tabs, current, atSide, onChoose }: TabListProps) {
  return (
    <Tabs
      value={current.id}
      orientation={atSide ? 'vertical' : 'horizontal'}
      variant="scrollable"
      allowScrollButtonsMobile
      aria-label={label}
      sx={atSide ? sideTabsStyle : null}
      onChange={(_, id: string) => onChoose(id)}
    >
      {tabs.flatMap((tab) => [
        atSide && tab.group !== undefined && <GroupHeading key={`group-${tab.id}`} text={tab.group} />,
        <Tab
          key={tab.id}
          value={tab.id}
          label={tab.label}
          id={`tab-${tab.id}`}
          aria-controls={`panel-${tab.id}`}
        />,
      ])}
    </Tabs>
  );
}

const sideStyle = {
  position: 'sticky',
  top: 88,
  alignSelf: 'start',
  // All of it is in the window, too, where it begins below the header and the title of a page that is not scrolled.
  maxHeight: 'calc(100vh - 250px)',
  overflowY: 'auto',
  // What is cut fades out, so that one sees that there is more.
  pb: 3,
  maskImage: 'linear-gradient(to top, transparent, #000 24px)',
  // As high as the cards beside it, for the finder has room above it where it stays.
  mt: -1,
} as const;
/** It stays where the tabs scroll. */
const finderStyle = {
  position: 'sticky',
  top: 0,
  zIndex: 1,
  minHeight: 40,
  pt: 1,
  pb: 1.5,
  bgcolor: 'background.default',
} as const;
const sideTabsStyle = {
  '& .MuiTabs-indicator': { display: 'none' },
  '& .MuiTab-root': {
    minHeight: 36,
    py: 0.5,
    px: 1.5,
    borderRadius: 1,
    alignItems: 'flex-start',
    textAlign: 'left',
    maxWidth: 'none',
    '&.Mui-selected': { bgcolor: 'action.selected', color: 'text.primary', fontWeight: 600 },
  },
} as const;

/** Stands between tabs for the eye only; the tabs' own names suffice without it. */
function GroupHeading({ text }: { text: string }) {
  return (
    <Typography
      role="presentation"
      aria-hidden="true"
      variant="overline"
      sx={{ display: 'block', px: 1.5, pt: 1.5, lineHeight: 2, color: 'text.secondary' }}
    >
      {text}
    </Typography>
  );
}
