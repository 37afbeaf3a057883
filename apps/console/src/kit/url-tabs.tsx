import { Box, Tab, Tabs } from '@mui/material';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface TabPage {
  id: string;
  label: string;
  content: () => ReactNode;
}

/** Tabs whose choice is in the address as `tab`; the first is the one without. */
export function UrlTabs({ label, tabs }: { label: string; tabs: readonly [TabPage, ...TabPage[]] }) {
  const search = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const current = tabs.find((tab) => tab.id === search.tab) ?? tabs[0];
  return (
    <div>
      <Box sx={{ borderBottom: 1, borderColor: 'divider', mb: 3 }}>
        <Tabs
          value={current.id}
          variant="scrollable"
          allowScrollButtonsMobile
          aria-label={label}
          onChange={(_, id: string) =>
            void navigate({ to: '.', search: id === tabs[0].id ? {} : { tab: id }, resetScroll: false })
          }
        >
          {tabs.map((tab) => (
            <Tab
              key={tab.id}
              value={tab.id}
              label={tab.label}
              id={`tab-${tab.id}`}
              aria-controls={`panel-${tab.id}`}
            />
          ))}
        </Tabs>
      </Box>
      <div role="tabpanel" id={`panel-${current.id}`} aria-labelledby={`tab-${current.id}`}>
        {current.content()}
      </div>
    </div>
  );
}
