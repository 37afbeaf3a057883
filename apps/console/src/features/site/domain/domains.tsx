import { dnsVerdicts, domainProofs, siteDomainRoutes, type DomainRow } from '@breakwater/contract';
import { useChange } from '../../../api/change.ts';
import { clientChoices } from '../../../api/options.ts';
import { choices, numberFilter, remoteFilter, selectFilter, textFilter } from '../../../frame/filters.ts';
import { listOf } from '../../../frame/list.ts';
import { ListTable } from '../../../frame/list-table.tsx';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { to } from '../../../kit/links.ts';
import { Page } from '../../../kit/page.tsx';
import { TextLink } from '../../../kit/router-link.tsx';
import type { RowAction } from '../../../kit/row-actions.tsx';
import { notify } from '../../../kit/toast.ts';
import { DomainSeen, ProofChip, VerdictChip } from './verdict.tsx';
import { siteDomainText } from './domain.text.ts';
import { SiteStatusChip } from '../status.tsx';

const domains = listOf('listSiteDomains', siteDomainRoutes.listSiteDomains.query);
export const { firstRead } = domains;

const useColumns = domains.columns(siteDomainText, (t, column) => [
  {
    id: 'domain',
    header: t.domain,
    cell: (row) => <TextLink target={to.siteDetail({ id: row.site_id })}>{row.domain}</TextLink>,
    copy: (row) => row.domain,
  },
  { id: 'verdict', header: t.verdict, cell: (row) => <VerdictChip check={row} />, whole: true },
  column.time('checked_at', t.checkedAt, { relative: true }),
  { id: 'proof', header: t.proof, cell: (row) => <ProofChip check={row} /> },
  column.text('cname', 'CNAME', { hidden: true, copy: (row) => row.cname ?? '' }),
  {
    id: 'status',
    whole: true,
    header: t.siteStatus,
    hidden: true,
    cell: (row) => <SiteStatusChip status={row.site_status} />,
  },
  column.owner(t.client),
  { id: 'site', header: `${t.site} ID`, hidden: true, cell: (row) => row.site_id },
]);

/** The operators' list of the domains of all sites, with what the last DNS check found of each. */
export function SiteDomains() {
  const t = useText(siteDomainText);
  const actionsFor = useDomainActions();
  return (
    <Page title={t.listTitle} subtitle={t.listSubtitle}>
      <ListTable
        id="site-domains"
        list={domains.use({ refetchInterval: 10_000 })}
        text={{ title: t.listTitle, empty: t.listEmpty, emptyHint: t.listEmptyHint }}
        icon="domain"
        columns={useColumns()}
        filters={[
          textFilter('domain', t.domain),
          selectFilter('verdict', t.verdict, [
            ...choices(dnsVerdicts, t.verdicts),
            { value: 'unchecked', label: t.unchecked },
          ]),
          selectFilter('proof', t.proof, choices(domainProofs, t.proofs), { folded: true }),
          numberFilter('site_id', `${t.site} ID`),
          textFilter('username', t.username, { folded: true }),
          remoteFilter('client_id', t.client, clientChoices, { needs: 'listClients' }),
        ]}
        // Two customers may wait for one name.
        rowKey={(row) => `${row.domain} ${row.site_id}`}
        rowName={(row) => row.domain}
        expand={(row) => <DomainSeen check={row} cname={row.cname} />}
        rowActions={(row) => actionsFor([row])}
        batchActions={actionsFor}
      />
    </Page>
  );
}

/**
 * For one row and for the selected ones alike: one call checks up to 200 domains. Those that it does not get to
 * within some seconds (`left`) are checked in the background.
 */
function useDomainActions(): (rows: readonly DomainRow[]) => RowAction[] {
  const t = useText(siteDomainText);
  const denial = useDenial();
  const check = useChange('checkDomains');
  return (rows) => [
    {
      label: t.check,
      icon: 'refresh',
      disabledReason: denial('checkDomains'),
      onClick: () =>
        check.mutate(
          { body: { domains: rows.map((row) => row.domain) } },
          {
            onSuccess: ({ checked, left }) =>
              notify.success([t.checked(checked), ...(left > 0 ? [t.left(left)] : [])].join(' · ')),
            onError: (error) => notify.refused(error.message),
          },
        ),
    },
  ];
}
