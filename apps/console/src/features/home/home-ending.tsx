import { Typography } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { Line } from './home-lists.tsx';
import { homeText } from './home.text.ts';

const listed = 5;
const soonMs = 14 * 24 * 3_600_000;
const endsSoon = (time: string, now: number) => new Date(time).getTime() < now + soonMs;

/** Certificates that end within two weeks or have ended, the soonest first; shown only when there is one. */
export function EndingCertificates({ now }: { now: number }) {
  const t = useText(homeText);
  const { data } = useApi('listCertificates', { query: { page_size: listed } });
  const ending = data?.list.filter(({ not_after }) => endsSoon(not_after, now)) ?? [];
  if (ending.length === 0) return null;
  return (
    <Section
      title={t.endingCertificates}
      actions={<LinkButton target={to.certificates()}>{t.allCertificates}</LinkButton>}
    >
      {ending.map(({ id, name, domains, not_after }) => (
        <Line
          key={id}
          name={<TextLink target={to.certificates({ name })}>{name}</TextLink>}
          about={domains.join(', ')}
        >
          <End at={not_after} now={now} />
        </Line>
      ))}
    </Section>
  );
}

/** Orders whose time runs out within two weeks. */
export function EndingOrders({ now }: { now: number }) {
  const t = useText(homeText);
  const { data } = useApi('listOrders', {
    query: { status: 'active', sort_by: 'end_at', sort_order: 'asc', page_size: listed },
  });
  const ending =
    data?.list.flatMap(({ end_at, ...order }) =>
      end_at !== null && endsSoon(end_at, now) ? [{ ...order, end_at }] : [],
    ) ?? [];
  if (ending.length === 0) return null;
  return (
    <Section
      title={t.endingOrders}
      actions={
        <LinkButton target={to.orders({ sort_by: 'end_at', sort_order: 'asc', status: 'active' })}>
          {t.allOrders}
        </LinkButton>
      }
    >
      {ending.map(({ id, order_no, client_name, end_at }) => (
        <Line
          key={id}
          name={<TextLink target={to.orderDetail({ id })}>{order_no}</TextLink>}
          about={client_name}
        >
          <End at={end_at} now={now} />
        </Line>
      ))}
    </Section>
  );
}

function End({ at, now }: { at: string; now: number }) {
  const t = useText(homeText);
  if (new Date(at).getTime() <= now) return <StatusChip tone="error" label={t.ended} />;
  return (
    <Typography
      variant="body2"
      component="span"
      sx={(theme) => ({
        color: theme.vars!.palette.warning.dark,
        whiteSpace: 'nowrap',
        ...theme.applyStyles('dark', { color: theme.vars!.palette.warning.light }),
      })}
    >
      <Time at={at} relative />
    </Typography>
  );
}
