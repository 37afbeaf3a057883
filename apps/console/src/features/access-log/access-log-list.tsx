import { LogBrowser } from '../../frame/log/browser.tsx';
import { logText } from '../../frame/log/log.text.ts';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';

/** The access log of all sites that the reader has; the search stands in the address. */
export function AccessLogList() {
  const t = useText(logText);
  return (
    <LogBrowser
      id="access-logs"
      inBar={['text', 'host', 'status_code']}
      start={
        <LinkButton target={to.sites()} icon="site" variant="contained">
          {t.allSites}
        </LinkButton>
      }
      around={(actions, content) => (
        <Page title={t.title} subtitle={t.subtitle} actions={actions}>
          {content}
        </Page>
      )}
    />
  );
}
