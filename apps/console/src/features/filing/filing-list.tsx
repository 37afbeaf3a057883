import { filingRoutes, filingStates, type Filing, type FilingState } from '@breakwater/contract';
import { useAccount } from '../../api/account.ts';
import { clientChoices } from '../../api/options.ts';
import { useRemoval } from '../../frame/asking.tsx';
import { useRowAction } from '../../frame/row-action.ts';
import { useEditing } from '../../frame/editing.tsx';
import { choices, remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { notify } from '../../kit/toast.ts';
import { DecideFiling } from './decide-filing.tsx';
import { FilingForm } from './filing-form.tsx';
import { filingText } from './filing.text.ts';

const filings = listOf('listFilings', filingRoutes.listFilings.query);
export const { firstRead } = filings;
/** `rejected` is red: line groups that ask for numbers do not serve its domains. */
const tones: Record<FilingState, Tone> = { pending: 'warning', confirmed: 'success', rejected: 'error' };

const useColumns = filings.columns(filingText, (t, column) => [
  column.name(t.domain, ({ name }) => name),
  column.text('number', t.number),
  { id: 'state', header: t.state, cell: (filing) => <State filing={filing} />, whole: true },
  column.text('holder', t.holder),
  column.owner(t.owner, t.platform),
  column.count('domain_count', t.domains, ({ name, client_id: id }) =>
    to.siteDomains({ domain: name, client_id: id ?? undefined }),
  ),
  column.time('checked_at', t.checked, { relative: true, never: t.never }),
]);

/** What is wrong with it stands beside: there is something to be done. */
function State({ filing }: { filing: Filing }) {
  const t = useText(filingText);
  const { state, reason, found_number: found, note, last_error: error } = filing;
  const hint = [t.reasons[reason], found === '' ? '' : t.found(found), note, error].filter(
    (text) => text !== '',
  );
  return <StatusChip tone={tones[state]} label={t.states[state]} hint={hint.join(' · ') || undefined} />;
}

/** Filing numbers of one's own domains; operators see all of them, and confirm or reject them by hand (docs/filings.md). */
export function FilingList() {
  const t = useText(filingText);
  const isAdmin = useAccount().role === 'admin';
  const editing = useEditing<Filing>({
    create: 'createFiling',
    update: 'updateFiling',
    text: t,
    form: (filing, close) => <FilingForm filing={filing} onClose={close} />,
  });
  const check = useRowAction('checkFiling', {
    label: t.check,
    icon: 'refresh',
    argumentsOf: ({ id }: Filing) => ({ params: { id } }),
    onDone: ({ state, message }) =>
      message === '' ? notify.success(t.checkedAs(t.states[state])) : notify.refused(message),
  });
  const confirm = useRowDialog<Filing>({
    route: 'decideFiling',
    label: t.confirm,
    icon: 'check',
    render: (filing, close) => <DecideFiling filing={filing} state="confirmed" onClose={close} />,
  });
  const reject = useRowDialog<Filing>({
    route: 'decideFiling',
    label: t.reject,
    icon: 'close',
    destructive: true,
    render: (filing, close) => <DecideFiling filing={filing} state="rejected" onClose={close} />,
  });
  const removal = useRemoval<Filing>('removeFiling', { text: t, body: ({ name }) => t.removeBody(name) });
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <>
          <LinkButton target={to.unfiledDomains()} icon="domain" variant="outlined" color="inherit">
            {t.unfiled}
          </LinkButton>
          {editing.add}
        </>
      }
    >
      <ListTable
        id="filings"
        list={filings.use()}
        text={t}
        icon="filing"
        add={editing.add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.domain),
          textFilter('number', t.number),
          selectFilter('state', t.state, choices(filingStates, t.states)),
          remoteFilter('client_id', t.client, clientChoices, { role: 'admin', folded: true }),
        ]}
        rowName={({ name }) => name}
        rowActions={(filing) => [
          isAdmin && filing.state !== 'confirmed' && confirm.action(filing),
          isAdmin && filing.state !== 'rejected' && reject.action(filing),
          check.action(filing),
          editing.action(filing),
          removal.action(filing),
        ]}
      />
      {editing.dialog}
      {confirm.dialog}
      {reject.dialog}
      {removal.dialog}
    </Page>
  );
}
