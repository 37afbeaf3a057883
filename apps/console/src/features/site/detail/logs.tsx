import { LogBrowser } from '../../../frame/log/browser.tsx';
import { useSite } from '../context.tsx';

/** The requests of one site, searched where it is. */
export function SiteLogs() {
  const { site } = useSite();
  return (
    <LogBrowser
      id="site-logs"
      within={{ site_id: site.id }}
      inBar={['text', 'status_code', 'cache_status']}
    />
  );
}
