import { packetKinds, type Flood, type FloodIsolation, type FloodSuspect } from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { packetText } from '../../domain/packet.text.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyButton, CopyText } from '../../kit/copy-text.tsx';
import { formatCount, formatList, formatShare } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { floodText } from './flood.text.ts';

interface FloodIsolationProps {
  flood: Flood;
  isolation: FloodIsolation;
}

/** So many orders are named to be moved; the table of sites has the others. */
const ordersMax = 5;

/**
 * What isolates an attack, ready to be done by hand: only the provider of the line can drop such packets before they arrive.
 */
export function FloodIsolationSteps({ flood, isolation }: FloodIsolationProps) {
  const t = useText(floodText);
  return (
    <Section title={t.isolate} hint={t.isolateHint}>
      <Stack component="ol" sx={{ gap: 2.5, m: 0, pl: 2.5, typography: 'body2', overflowWrap: 'anywhere' }}>
        <li>{t.noHttp}</li>
        <Step text={t.provider}>
          <CodeBlock label={t.providerText} text={useProviderText(flood)} />
        </Step>
        <Step text={t.move}>
          <Orders suspects={isolation.suspects} />
          <Refuges isolation={isolation} />
        </Step>
        <Step text={isolation.other_addresses.length === 0 ? t.noOthers : t.others}>
          {isolation.other_addresses.map((address) => (
            <CopyText key={address} text={address} label={t.ip} />
          ))}
        </Step>
      </Stack>
    </Section>
  );
}

function Step({ text, children }: { text: string; children: ReactNode }) {
  return (
    <li>
      {text}
      <Stack sx={{ gap: 1, mt: 1, '&:empty': { display: 'none' } }}>{children}</Stack>
    </li>
  );
}

/** Each order once, that of the likeliest site first. */
function Orders({ suspects }: { suspects: readonly FloodSuspect[] }) {
  const t = useText(floodText);
  const orders = [...new Map(suspects.map((each) => [each.order_id, each])).values()].slice(0, ordersMax);
  if (orders.length === 0) return <div>{t.noOrders}</div>;
  return (
    <>
      <List>
        {orders.map(({ order_id, order_no, client_name }) => (
          <li key={order_id}>
            <TextLink target={to.orderDetail({ id: order_id })}>{t.orderOf(order_no, client_name)}</TextLink>
          </li>
        ))}
      </List>
      <div>{t.moveHow}</div>
    </>
  );
}

/** Line groups without a node that is flooded: where the order of the target can be moved to. */
function Refuges({ isolation: { refuges } }: Pick<FloodIsolationProps, 'isolation'>) {
  const t = useText(floodText);
  if (refuges.length === 0)
    return (
      <div>
        {t.noRefuge} <TextLink target={to.lineGroups()}>{t.toLineGroups}</TextLink>
      </div>
    );
  return (
    <>
      <div>{t.refuges}</div>
      <List>
        {refuges.map(({ id, name, nodes, site_count, addresses }) => (
          <li key={id}>
            <TextLink target={to.lineGroupDetail({ id })}>{t.refuge(name, nodes, site_count)}</TextLink>
            {addresses.length > 0 && (
              <Stack direction="row" sx={{ alignItems: 'center', gap: 0.5 }}>
                <Typography variant="body2" sx={{ color: 'text.secondary', minWidth: 0 }}>
                  {addresses.join(', ')}
                </Typography>
                <CopyButton text={addresses.join('\n')} label={t.refugeAddresses(name)} />
              </Stack>
            )}
          </li>
        ))}
      </List>
      <div>{t.refugeDns}</div>
    </>
  );
}

function List({ children }: { children: ReactNode }) {
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
      {children}
    </Box>
  );
}

/** In UTC, whatever zone the reader has: those who are told have another. */
const utc = (time: string): string => time.slice(0, 16).replace('T', ' ');

/** What the provider of the line is told, to be copied: the address, since when, how much and of what kind. */
function useProviderText(flood: Flood): string {
  const t = useText(floodText);
  const { kinds, attacks } = useText(packetText);
  const { colon } = useText(kitText);
  const language = useLanguage();
  const { address, kind, started_at, ended_at, peak_packets, peak_bits, peak_mix } = flood;
  const total = packetKinds.reduce((sum, each) => sum + peak_mix[each], 0);
  const mix = packetKinds
    .filter((each) => peak_mix[each] > 0)
    .toSorted((a, b) => peak_mix[b] - peak_mix[a])
    .map((each) => `${kinds[each]} ${formatShare(peak_mix[each] / total)}`);
  const facts = [
    [t.ip, address],
    [t.startedUtc, utc(started_at)],
    ...(ended_at === null ? [] : [[t.endedUtc, utc(ended_at)]]),
    [t.kind, attacks[kind]],
    [t.peak, t.peakOf(formatCount(peak_packets), megabits(peak_bits))],
    [t.mix, formatList(mix, language)],
  ];
  const asks = ended_at === null ? t.providerAsks : t.providerAsked;
  return [asks, ...facts.map((fact) => fact.join(colon))].join('\n');
}

const megabits = (bits: number): string => formatCount(Math.ceil(bits / 1e6));
