import { Typography } from '@mui/material';
import { ServedFaults } from '../../domain/served-faults.tsx';
import { servedFaultsText } from '../../domain/served-faults.text.ts';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { Line } from './home-lists.tsx';
import type { HomePart } from './home-reads.ts';
import { homeText } from './home.text.ts';

/** Certificates that end within two weeks or have ended, the soonest first. */
export function EndingCertificates({
  certificates: { list, ending, expired },
  now,
}: {
  certificates: HomePart<'certificates'>;
  now: number;
}) {
  const t = useText(homeText);
  return (
    <Section
      title={t.ofAll(t.endingCertificates, list.length, ending + expired)}
      actions={<LinkButton target={to.certificates()}>{t.allCertificates}</LinkButton>}
    >
      {list.map(({ id, name, domains, not_after }) => (
        <Line
          key={id}
          name={<TextLink target={to.certificateDetail({ id })}>{name}</TextLink>}
          about={domains.join(', ')}
        >
          <End at={not_after} now={now} />
        </Line>
      ))}
    </Section>
  );
}

/** Names under which nodes serve another certificate than they are to. */
export function WronglyServed({ served: { list, total } }: { served: HomePart<'served'> }) {
  const t = useText(servedFaultsText);
  return (
    <Section title={t.title} hint={t.all(list.length, total)}>
      <ServedFaults faults={list} />
    </Section>
  );
}

/** Orders whose time runs out within two weeks. */
export function EndingOrders({ orders: { list, ending }, now }: { orders: HomePart<'orders'>; now: number }) {
  const t = useText(homeText);
  return (
    <Section
      title={t.ofAll(t.endingOrders, list.length, ending)}
      actions={
        <LinkButton target={to.orders({ sort_by: 'end_at', sort_order: 'asc', status: 'active' })}>
          {t.allOrders}
        </LinkButton>
      }
    >
      {list.map(({ id, order_no, client_name, end_at }) => (
        <Line
          key={id}
          name={<TextLink target={to.orderDetail({ id })}>{order_no}</TextLink>}
          about={client_name}
        >
          {end_at !== null && <End at={end_at} now={now} />}
        </Line>
      ))}
    </Section>
  );
}

function End({ at, now }: { at: string; now: number }) {
  const t = useText(homeText);
  // By the clock of the page, which moves on between two reads.
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
