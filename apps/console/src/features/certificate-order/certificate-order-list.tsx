import { certificateOrderRoutes, certificateOrderStates, type CertificateOrder } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { clientChoices } from '../../api/options.ts';
import { useRowActivity } from '../../frame/activity.tsx';
import { useRemoval } from '../../frame/asking.tsx';
import { OrderState } from '../../frame/certificate-order-state.tsx';
import { CertificateTimelineDrawer } from '../../frame/certificate-timeline.tsx';
import { useRowAction } from '../../frame/row-action.ts';
import { useEditing } from '../../frame/editing.tsx';
import { remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Page } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { CertificateOrderForm } from './certificate-order-form.tsx';
import { certificateOrderText } from './certificate-order.text.ts';

const orders = listOf('listCertificateOrders', certificateOrderRoutes.listCertificateOrders.query);
export const { firstRead } = orders;

const useColumns = orders.columns(certificateOrderText, (t, column) => [
  column.name(t.name, ({ name }) => name),
  { id: 'domains', header: t.domains, cell: ({ domains }) => domains.join(', ') },
  column.owner(t.client),
  { id: 'state', header: t.state, cell: (order) => <OrderState order={order} />, whole: true },
  {
    id: 'account',
    header: t.account,
    cell: ({ acme_account_name: name }) => name ?? t.anyAccount,
  },
  { id: 'challenge', header: t.challenge, hidden: true, cell: ({ challenge }) => t.challenges[challenge] },
  column.time('not_after', t.expires, { relative: true }),
  column.time('renew_at', t.renewal, { relative: true }),
  column.time('next_at', t.next, { hidden: true }),
]);

/** Certificates that are obtained and renewed at authorities (docs/certificates.md), with the timeline of each order. */
export function CertificateOrderList() {
  const t = useText(certificateOrderText);
  const list = orders.use();
  const editing = useEditing<CertificateOrder>({
    create: 'createCertificateOrder',
    update: 'updateCertificateOrder',
    text: t,
    form: (order, close) => (
      <CertificateOrderForm
        order={order}
        clientId={list.search.client_id as number | undefined}
        onClose={close}
      />
    ),
  });
  const timeline = useRowDialog<CertificateOrder>({
    label: t.timeline,
    icon: 'log',
    route: 'listCertificateSteps',
    render: ({ id, name }, close) => <CertificateTimelineDrawer id={id} name={name} onClose={close} />,
  });
  const run = useRowAction('runCertificateOrder', {
    label: t.issueNow,
    icon: 'refresh',
    argumentsOf: ({ id }: CertificateOrder) => ({ params: { id } }),
    onDone: () => notify.success(t.runDone),
  });
  const revocation = useRevocation();
  const activity = useRowActivity<CertificateOrder>('certificate_order', ({ name }) => name);
  const removal = useRemoval<CertificateOrder>('removeCertificateOrder', {
    text: t,
    body: ({ name }) => t.removeBody(name),
  });
  const states = certificateOrderStates.map((value) => ({ value, label: t.states[value] }));
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="certificate-orders"
        list={list}
        text={t}
        icon="certificate-order"
        add={editing.add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.name),
          textFilter('domain', t.domain),
          selectFilter('state', t.state, states),
          remoteFilter('client_id', t.client, clientChoices, { role: 'admin', needs: 'listClients' }),
        ]}
        rowName={({ name }) => name}
        rowActions={(order) => [
          timeline.action(order),
          run.action(order, order.state === 'working' && t.working),
          editing.action(order),
          activity.action(order),
          // Only what was issued can be revoked.
          revocation.action(order, order.state !== 'valid' && t.notIssued),
          removal.action(order),
        ]}
      />
      {editing.dialog}
      {timeline.dialog}
      {activity.dialog}
      {revocation.dialog}
      {removal.dialog}
    </Page>
  );
}

/**
 * Revoking at the authority (RFC 8555 §7.6). The reason is always unspecified: which of the reasons of RFC 5280 it is, few can tell.
 */
function useRevocation() {
  const t = useText(certificateOrderText);
  const { mutateAsync } = useChange('revokeCertificateOrder');
  return useRowDialog<CertificateOrder>({
    label: t.revoke,
    icon: 'danger',
    route: 'revokeCertificateOrder',
    destructive: true,
    render: ({ id, name }, close) => (
      <Confirm
        title={t.revokeTitle}
        body={t.revokeBody(name)}
        action={t.revoke}
        destructive
        onConfirm={async () => {
          await mutateAsync({ params: { id }, body: { reason: 'unspecified' } });
          notify.success(t.revokeDone);
        }}
        onClose={close}
      />
    ),
  });
}
