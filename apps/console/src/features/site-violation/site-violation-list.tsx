import { siteViolationRoutes, violationActions } from '@breakwater/contract';
import { siteChoices } from '../../api/options.ts';
import { choices, rangeFilter, remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { siteViolationText } from './site-violation.text.ts';

const violations = listOf('listSiteViolations', siteViolationRoutes.listSiteViolations.query);
export const { firstRead } = violations;

const useColumns = violations.columns(siteViolationText, (t, column) => [
  column.time('created_at', t.time),
  {
    id: 'site',
    header: t.site,
    cell: ({ site_id: id, site_name: name }) => (
      <TextLink target={to.siteDetail({ id })}>{name || `#${id}`}</TextLink>
    ),
  },
  {
    id: 'page',
    header: t.page,
    cell: ({ host, request_uri }) => `${host}${request_uri}`,
  },
  column.text('word', t.word),
  column.text('excerpt', t.excerpt),
  column.status(t.action, ({ action }) => ({
    tone: action === 'blocked' ? 'error' : 'neutral',
    label: t.actions[action],
  })),
]);

export function SiteViolationList() {
  const t = useText(siteViolationText);
  const list = violations.use();
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <LinkButton target={to.violationStats()} icon="chart" variant="outlined" color="inherit">
          {t.stats}
        </LinkButton>
      }
    >
      <ListTable
        id="site-violations"
        list={list}
        text={t}
        icon="log"
        columns={useColumns()}
        filters={[
          rangeFilter({ start: 'start_time', end: 'end_time' }, t.time),
          textFilter('word', t.word),
          remoteFilter('site_id', t.site, siteChoices),
          textFilter('host', t.host, { folded: true }),
          selectFilter('action', t.action, choices(violationActions, t.actions), { folded: true }),
        ]}
        rowName={(violation) => violation.word}
      />
    </Page>
  );
}
