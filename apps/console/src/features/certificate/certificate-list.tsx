import { certificateRoutes, certificateStatuses, type Certificate } from '@breakwater/contract';
import { useMemo } from 'react';
import { certificateGroupsOf, clientChoices } from '../../api/options.ts';
import { useRowActivity } from '../../frame/activity.tsx';
import { useAdding } from '../../frame/editing.tsx';
import { choices, namedFilter, remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { useCertificateActions } from './certificate-actions.tsx';
import { CertificateForm } from './certificate-form.tsx';
import { CertificateState } from './certificate-status.tsx';
import { certificateText } from './certificate.text.ts';
import { useCertificatesGrouping } from './certificates-grouping.tsx';
import { useCertificatesRemoval } from './certificates-removal.tsx';

/** What the picker of sites asks by is not for an address. */
const query = certificateRoutes.listCertificates.query.omit({ ids: true, keyword: true });
const certificates = listOf('listCertificates', query);
export const { firstRead } = certificates;

const useColumns = certificates.columns(certificateText, (t, column) => [
  column.name(t.name, ({ name }) => name, { target: ({ id }) => to.certificateDetail({ id }) }),
  { id: 'domains', header: t.domains, cell: ({ domains }) => domains.join(', ') },
  column.text('issuer', t.issuer),
  column.text('group_name', t.group),
  column.owner(t.client),
  { id: 'expires', header: t.expires, cell: (row) => <CertificateState certificate={row} /> },
  column.count('site_count', t.sites),
  {
    id: 'fingerprint',
    header: t.fingerprint,
    hidden: true,
    cell: ({ fingerprint }) => <code>{fingerprint}</code>,
  },
  column.time('not_after', t.expiresAt, { hidden: true }),
  column.time('created_at', t.created, { hidden: true }),
  column.time('updated_at', t.updated, { hidden: true }),
]);

/** Certificates of a customer, or of all for administrators, with the ways to get one: upload, many files, or an order. */
export function CertificateList() {
  const t = useText(certificateText);
  const list = certificates.use();
  const { add, dialog } = useAdding({
    create: 'createCertificate',
    text: t,
    form: (close) => <CertificateForm clientId={list.search.client_id} onClose={close} />,
  });
  const activity = useRowActivity<Certificate>('certificate', ({ name }) => name);
  const { actionsFor, dialogs } = useCertificateActions();
  const many = useCertificatesRemoval();
  const grouping = useCertificatesGrouping();
  // Groups are each owner's own names.
  const clientId = list.search.client_id as number | undefined;
  const findGroups = useMemo(() => certificateGroupsOf(clientId), [clientId]);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <>
          <LinkButton
            target={to.certificateOrders()}
            icon="certificate-order"
            variant="outlined"
            color="inherit"
          >
            {t.obtain}
          </LinkButton>
          <LinkButton target={to.certificateUpload()} icon="upload" variant="outlined" color="inherit">
            {t.uploadMany}
          </LinkButton>
          {add}
        </>
      }
    >
      <ListTable
        id="certificates"
        list={list}
        text={t}
        icon="certificate"
        add={add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.name),
          textFilter('domain', t.domain),
          namedFilter('group_name', t.group, findGroups, { folded: true }),
          selectFilter('status', t.status, choices(certificateStatuses, t.statuses)),
          selectFilter('used', t.used, choices(['yes', 'no'], t), { folded: true }),
          remoteFilter('client_id', t.client, clientChoices, { role: 'admin', needs: 'listClients' }),
        ]}
        rowName={({ name }) => name}
        rowActions={(certificate) => [activity.action(certificate), ...actionsFor(certificate)]}
        batchActions={(rows) => [grouping.action(rows), many.action(rows)]}
      />
      {dialog}
      {activity.dialog}
      {dialogs}
      {grouping.dialog}
      {many.dialog}
    </Page>
  );
}
