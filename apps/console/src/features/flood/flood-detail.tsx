import type { Flood } from '@breakwater/contract';
import { Alert } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { packetText } from '../../domain/packet.text.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { CopyText } from '../../kit/copy-text.tsx';
import { DetailPage } from '../../kit/detail-page.tsx';
import { Facts } from '../../kit/facts.tsx';
import { formatBitRate, formatCount, formatDateTime } from '../../kit/format.ts';
import { useIdParam } from '../../kit/id-param.ts';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { Time, useDuration } from '../../kit/time.tsx';
import { FloodIsolationSteps } from './flood-isolation.tsx';
import { floodInterval, FloodStatus, lasted } from './flood-state.tsx';
import { FloodSuspects } from './flood-suspects.tsx';
import { FloodTraffic } from './flood-traffic.tsx';
import { floodText } from './flood.text.ts';

/** What is asked of the log store changes slowly. */
const isolationInterval = 30_000;

// One that is over does not change any more.
const whileOpen = (last: Flood | undefined) => (last?.state === 'over' ? false : floodInterval);

/** One flood: how much came and of what, which sites it is likely about, and what isolates it (docs/floods.md). */
export function FloodDetail() {
  const t = useText(floodText);
  const { attacks } = useText(packetText);
  return (
    <DetailPage
      read={useApi('getFlood', { params: { id: useIdParam() } }, { refetchInterval: whileOpen })}
      label={t.detail}
      back={{ target: to.floods(), label: t.title }}
      title={({ kind, address }) => `${attacks[kind]} · ${address}`}
      subtitle={(flood) => <FloodStatus flood={flood} />}
    >
      {(flood) => (
        <>
          <SilentNotice flood={flood} />
          <Overview flood={flood} />
          <FloodTraffic flood={flood} />
          <Isolation flood={flood} />
        </>
      )}
    </DetailPage>
  );
}

interface Part {
  flood: Flood;
}

/** A node that fell silent may have been cut off by the flood: nothing more is known, and it is not taken for over. */
function SilentNotice({ flood: { silent_since } }: Part) {
  const t = useText(floodText);
  const language = useLanguage();
  if (silent_since === null) return null;
  return <Alert severity="error">{t.silentSince(formatDateTime(silent_since, language)!)}</Alert>;
}

function Overview({ flood }: Part) {
  const t = useText(floodText);
  const { attacks } = useText(packetText);
  const duration = useDuration();
  const isOpen = flood.state === 'open';
  return (
    <Section>
      <Facts
        columns={4}
        facts={[
          {
            label: t.node,
            value: <TextLink target={to.nodeDetail({ id: flood.node_id })}>{flood.node_name}</TextLink>,
          },
          { label: t.ip, value: <CopyText text={flood.address} label={t.ip} /> },
          { label: t.kind, value: attacks[flood.kind] },
          { label: t.duration, value: duration(lasted(flood)) },
          { label: t.started, value: <Time at={flood.started_at} /> },
          isOpen
            ? { label: t.lastSeen, value: <Time at={flood.seen_at} /> }
            : { label: t.ended, value: <Time at={flood.ended_at} /> },
          // Of one that is over only the peak says something.
          ...(isOpen
            ? [
                { label: t.packets, value: formatCount(flood.packets) },
                { label: t.bits, value: formatBitRate(flood.bits) },
              ]
            : []),
          { label: t.peakPackets, value: formatCount(flood.peak_packets) },
          { label: t.peakBits, value: formatBitRate(flood.peak_bits) },
        ]}
      />
    </Section>
  );
}

function Isolation({ flood }: Part) {
  const refetchInterval = flood.state === 'open' && isolationInterval;
  const read = useApi('getFloodIsolation', { params: { id: flood.id } }, { refetchInterval });
  return (
    <Loaded read={read}>
      {(isolation) => (
        <>
          <FloodSuspects read={read} isolation={isolation} />
          <FloodIsolationSteps flood={flood} isolation={isolation} />
        </>
      )}
    </Loaded>
  );
}
