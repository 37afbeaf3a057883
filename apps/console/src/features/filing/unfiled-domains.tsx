import { filingRoutes, type UnfiledState } from '@breakwater/contract';
import { clientChoices, lineGroupChoices } from '../../api/options.ts';
import { remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import type { Row } from '../../api/client.ts';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { FilingForm } from './filing-form.tsx';
import { filingText, unfiledText } from './filing.text.ts';

const unfiled = listOf('listUnfiledDomains', filingRoutes.listUnfiledDomains.query);
export const { firstRead } = unfiled;
const tones: Record<UnfiledState, Tone> = { missing: 'neutral', pending: 'warning', rejected: 'error' };

const useColumns = unfiled.columns(unfiledText, (t, column) => [
  column.name(t.domain, ({ domain }) => domain),
  column.site(t.site),
  column.owner(t.client),
  column.text('zone', t.zone),
  column.status(t.number, ({ state }) => ({ tone: tones[state], label: t.states[state] })),
  {
    id: 'service',
    header: t.service,
    cell: ({ required }) => (
      <StatusChip tone={required ? 'error' : 'success'} label={required ? t.stopped : t.served} />
    ),
  },
]);

/**
 * Domains of sites without a confirmed filing number, and whether they are served all the same: that depends on their line group.
 */
export function UnfiledDomains() {
  const t = useText(unfiledText);
  const filing = useText(filingText);
  const entering = useRowDialog<Row<'listUnfiledDomains'>>({
    route: 'createFiling',
    label: filing.add,
    icon: 'add',
    render: ({ zone }, close) => <FilingForm filing={null} name={zone} onClose={close} />,
  });
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <LinkButton target={to.filings()} icon="filing" variant="outlined" color="inherit">
          {t.filings}
        </LinkButton>
      }
    >
      <ListTable
        id="unfiled-domains"
        list={unfiled.use()}
        text={t}
        icon="domain"
        columns={useColumns()}
        filters={[
          textFilter('domain', t.domain),
          selectFilter('required', t.service, [{ value: 'yes', label: t.only }]),
          remoteFilter('line_group_id', t.lineGroup, lineGroupChoices, { role: 'admin' }),
          remoteFilter('client_id', t.client, clientChoices, { role: 'admin', folded: true }),
        ]}
        // Two customers may wait for one name.
        rowKey={({ domain, site_id }) => `${domain} ${site_id}`}
        rowName={({ domain }) => domain}
        // A name below no registrable domain cannot have a number.
        rowActions={(row) => [row.state === 'missing' && row.zone !== '' && entering.action(row)]}
      />
      {entering.dialog}
    </Page>
  );
}
