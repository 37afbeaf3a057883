import type { AccessLogRecord, Carrier, Province } from '@breakwater/contract';
import { useMemo, type ReactNode } from 'react';
import { useAccount } from '../../api/account.ts';
import { useText } from '../../i18n/text.ts';
import { CopyText } from '../../kit/copy-text.tsx';
import { useCountryName } from '../../kit/countries.ts';
import { useDecisionName } from '../../domain/decision.ts';
import { formatBytes, formatSeconds } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { placesText } from '../../domain/places.text.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { Time } from '../../kit/time.tsx';

export type LogField = keyof AccessLogRecord;

/** What a field of a record says to a reader: codes by their names, numbers by their links. Empty where it says nothing. */
export function useLogFieldValue(): (log: AccessLogRecord, field: LogField) => ReactNode {
  const decisionName = useDecisionName();
  const countryName = useCountryName();
  const { provinceNames, carrierNames } = useText(placesText);
  return useMemo(
    () => (log, field) => {
      switch (field) {
        case 'time':
          return <Time at={log.time} />;
        case 'request_id':
        case 'remote_addr':
          return <CopyText text={log[field]} />;
        case 'country':
          return log.country && `${countryName(log.country)} (${log.country})`;
        case 'province':
          return provinceNames[log.province as Province] ?? log.province;
        case 'carrier':
          return carrierNames[log.carrier as Carrier] ?? log.carrier;
        case 'asn':
          return log.asn === 0 ? '' : `AS${log.asn}`;
        case 'decision':
          return log.decision && decisionName(log.decision);
        case 'site_id':
        case 'order_id':
        case 'client_id':
        case 'node_id':
          return <Numbered of={field} id={log[field]} />;
        default:
          return measured(log, field);
      }
    },
    [carrierNames, countryName, decisionName, provinceNames],
  );
}

/** Sizes and durations with their units; 0 is nothing where it counts nothing. */
function measured(log: AccessLogRecord, field: LogField): string | number {
  switch (field) {
    case 'request_length':
    case 'bytes_sent':
    case 'body_bytes_sent':
    case 'origin_bytes':
      return formatBytes(log[field]);
    case 'request_time':
    case 'origin_time':
      return formatSeconds(log[field]);
    case 'remote_port':
    case 'origin_status':
      return log[field] || '';
    default:
      return log[field];
  }
}

const targets = {
  site_id: to.siteDetail,
  order_id: to.orderDetail,
  client_id: to.clientDetail,
  node_id: to.nodeDetail,
};

/** Leads to what has the number, where the reader has a screen of it. */
function Numbered({ of, id }: { of: keyof typeof targets; id: number }) {
  const admin = useAccount().role === 'admin';
  if (id === 0) return '–';
  const isTheirs = of === 'site_id' || of === 'order_id';
  if (!admin && !isTheirs) return id;
  return <TextLink target={targets[of]({ id })}>#{id}</TextLink>;
}
