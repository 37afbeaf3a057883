import type { SiteRefresh } from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { DeliveryState } from '../../domain/delivery-state.tsx';
import { useText } from '../../i18n/text.ts';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { RefreshProbe } from './refresh-probe.tsx';
import { RefreshState } from './refresh-state.tsx';
import { siteRefreshText } from './site-refresh.text.ts';
import { readable } from '../../kit/readable.tsx';

interface SiteRefreshDetailProps {
  refresh: SiteRefresh;
  onClose: () => void;
}

/** What was refreshed, and what each node says of it. */
export function SiteRefreshDetail({ refresh, onClose }: SiteRefreshDetailProps) {
  const t = useText(siteRefreshText);
  const read = useApi(
    'getSiteRefresh',
    { params: { id: refresh.id } },
    { refetchInterval: (last) => (last?.delivery.status === 'pending' ? 1000 : false) },
  );
  return (
    <InfoDrawer title={`${t.title} #${refresh.id}`} onClose={onClose}>
      <Loaded read={read}>
        {(told) => {
          const listed = [...told.urls, ...told.tags];
          return (
            <Stack sx={{ gap: 3 }}>
              <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
                <RefreshState delivery={told.delivery} />
                <TextLink target={to.siteDetail({ id: told.site_id })}>{told.site_name}</TextLink>
                <Typography variant="body2">{t.types[told.type]}</Typography>
                <Typography variant="body2">{t.modes[told.mode]}</Typography>
              </Stack>
              {listed.length > 0 && (
                <Box
                  component="pre"
                  tabIndex={0}
                  role="region"
                  aria-label={t.target}
                  sx={{
                    m: 0,
                    p: 1.5,
                    maxHeight: 320,
                    overflow: 'auto',
                    borderRadius: 1,
                    bgcolor: 'action.hover',
                    typography: 'body2',
                    fontFamily: 'monospace',
                  }}
                >
                  {readable(listed.join('\n'))}
                </Box>
              )}
              {told.nodes.length === 0 ? (
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {t.noNodes}
                </Typography>
              ) : (
                <DeliveryState
                  desiredRevision={Math.max(...told.nodes.map((node) => node.active_revision ?? 0))}
                  nodes={told.nodes.map((node) => ({
                    id: node.node_id,
                    name: node.node_name,
                    active_revision: node.active_revision,
                    status: node.status,
                    error: node.error,
                    at: node.acked_at,
                  }))}
                />
              )}
              <RefreshProbe id={told.id} url={probed(told)} />
            </Stack>
          );
        }}
      </Loaded>
    </InfoDrawer>
  );
}

/** What was refreshed first; of a whole site, and of tags, its home page. */
const probed = ({ urls, site_name: name }: { urls: readonly string[]; site_name: string }): string =>
  urls[0] ?? `https://${name.replace('*.', 'www.')}/`;
