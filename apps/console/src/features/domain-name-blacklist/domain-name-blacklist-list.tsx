import { blacklistKinds, domainNameBlacklistRoutes, type DomainNameBlacklist } from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useEditing } from '../../frame/editing.tsx';
import { choices, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { DomainNameBlacklistForm } from './domain-name-blacklist-form.tsx';
import { domainNameBlacklistText } from './domain-name-blacklist.text.ts';

const entries = listOf('listDomainNameBlacklist', domainNameBlacklistRoutes.listDomainNameBlacklist.query);
export const { firstRead } = entries;

const useColumns = entries.columns(domainNameBlacklistText, (t, column) => [
  column.name(t.domain, (entry) => entry.name),
  { id: 'kind', header: t.kind, cell: ({ kind }) => t.kinds[kind] },
  column.text('reason', t.reason),
  column.status(t.enabled, ({ enabled }) => ({
    tone: enabled ? 'success' : 'neutral',
    label: enabled ? t.enabled : t.disabled,
  })),
  column.count('open_count', t.open, ({ id }) => to.blacklistHits({ blacklist_id: id, state: 'open' })),
  column.text('created_by', t.author),
  column.time('created_at', t.created),
]);

/**
 * Domains that no site may add, whoever adds them (docs/violations.md). Sites that have one already are found by a scan.
 */
export function DomainNameBlacklistList() {
  const t = useText(domainNameBlacklistText);
  const editing = useEditing<DomainNameBlacklist>({
    create: 'createDomainNameBlacklistEntry',
    update: 'updateDomainNameBlacklistEntry',
    text: t,
    form: (entry, close) => <DomainNameBlacklistForm entry={entry} onClose={close} />,
  });
  const removal = useRemoval<DomainNameBlacklist>('removeDomainNameBlacklistEntry', {
    text: t,
    body: (entry) => t.removeBody(entry.name),
  });
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <>
          <LinkButton target={to.blacklistHits()} icon="domain-found" variant="outlined" color="inherit">
            {t.found}
          </LinkButton>
          {editing.add}
        </>
      }
    >
      <ListTable
        id="domain-name-blacklist"
        list={entries.use()}
        text={t}
        icon="domain-ban"
        add={editing.add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.domain),
          selectFilter('kind', t.kind, choices(blacklistKinds, t.kinds)),
        ]}
        rowName={(entry) => entry.name}
        rowActions={(entry) => [editing.action(entry), removal.action(entry)]}
      />
      {editing.dialog}
      {removal.dialog}
    </Page>
  );
}
