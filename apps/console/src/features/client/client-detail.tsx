import type { Client } from '@breakwater/contract';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../api/account.ts';
import { useApi } from '../../api/query.ts';
import { useActivityTab } from '../../frame/activity.tsx';
import { useText } from '../../i18n/text.ts';
import { CopyText } from '../../kit/copy-text.tsx';
import { DetailPage } from '../../kit/detail-page.tsx';
import { Facts } from '../../kit/facts.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { RowActions } from '../../kit/row-actions.tsx';
import { useIdParam } from '../../kit/id-param.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { useClientActions } from './client-actions.tsx';
import { clientText } from './client.text.ts';
import { MemberList } from './member-list.tsx';
import { memberText } from './member.text.ts';

/** The page of a customer, for operators: who they are, and the ways to what they have. */
export function ClientDetail() {
  const t = useText(clientText);
  const activityTab = useActivityTab('client');
  const kit = useText(kitText);
  const members = useText(memberText);
  const may = useMay();
  return (
    <DetailPage
      read={useApi('getClient', { params: { id: useIdParam() } })}
      label={t.title}
      back={{ target: to.clients(), label: t.title }}
      title={(client) => client.name}
      subtitle={({ status }) => (
        <StatusChip tone={status === 'active' ? 'success' : 'neutral'} label={t.statuses[status]} />
      )}
      actions={(client) => <Actions client={client} />}
      tabs={(client) => [
        { id: 'overview', label: kit.overview, content: () => <Overview client={client} /> },
        // People who sign in to the customer's account with permissions of their own.
        ...(may('listMembers')
          ? [{ id: 'members', label: members.title, content: () => <MemberList clientId={client.id} /> }]
          : []),
        ...activityTab(client.id),
      ]}
    />
  );
}

/** The lists of what a customer has are the platform's own, narrowed to the customer. */
function Actions({ client }: { client: Client }) {
  const t = useText(clientText);
  const navigate = useNavigate();
  const { actionsFor, dialogs } = useClientActions({ leave: () => navigate(to.clients()) });
  return (
    <>
      <LinkButton target={to.sites({ client_id: client.id })} icon="site" color="inherit" variant="outlined">
        {t.viewSites} ({client.site_count})
      </LinkButton>
      <LinkButton
        target={to.orders({ client_id: client.id })}
        icon="order"
        color="inherit"
        variant="outlined"
      >
        {t.viewOrders} ({client.order_count})
      </LinkButton>
      <LinkButton
        target={to.monitor({ client_id: client.id })}
        icon="chart"
        color="inherit"
        variant="outlined"
      >
        {t.viewTraffic}
      </LinkButton>
      <LinkButton
        target={to.clientDefaults({ id: client.id })}
        icon="setting"
        color="inherit"
        variant="outlined"
      >
        {t.defaults}
      </LinkButton>
      <RowActions name={client.name} actions={() => actionsFor(client)} />
      {dialogs}
    </>
  );
}

/** What the customer entered, and when they last signed in. */
function Overview({ client }: { client: Client }) {
  const t = useText(clientText);
  return (
    <Section title={t.overview}>
      <Facts
        facts={[
          { label: t.email, value: <CopyText text={client.email} label={t.email} /> },
          { label: t.phone, value: client.phone },
          { label: t.created, value: <Time at={client.created_at} /> },
          { label: t.twoFactor, value: client.two_factor ? t.twoFactorOn : t.twoFactorOff },
          {
            label: t.lastLogin,
            value: client.last_login_at ? (
              <>
                <Time at={client.last_login_at} /> {client.last_login_ip}
              </>
            ) : (
              t.never
            ),
          },
          { label: t.remark, value: client.remark, wide: true },
        ]}
      />
    </Section>
  );
}
