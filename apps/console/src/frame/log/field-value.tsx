import type { AccessLogRecord, AccessLogRow, Carrier, Province } from '@breakwater/contract';
import { useMemo, type ReactNode } from 'react';
import { useAccount } from '../../api/account.ts';
import { useText } from '../../i18n/text.ts';
import { CopyText } from '../../kit/copy-text.tsx';
import { Country } from '../../kit/country.tsx';
import { useCountryName } from '../../kit/countries.ts';
import { formatBytes, formatSeconds } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Decision } from './decision.tsx';
import { useWafName } from '../../domain/waf.ts';
import { placesText } from '../../domain/places.text.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { Time } from '../../kit/time.tsx';

export type LogField = keyof AccessLogRecord | 'line_group_name';

/** What a field of a record says to a reader: codes by their names, numbers by their links. Empty where it says nothing. */
export function useLogFieldValue(): (log: AccessLogRow, field: LogField) => ReactNode {
  const countryName = useCountryName();
  const { provinceNames, carrierNames } = useText(placesText);
  const wafName = useWafName();
  return useMemo(
    () => (log, field) => {
      switch (field) {
        case 'time':
          return <Time at={log.time} />;
        case 'request_id':
        case 'remote_addr':
          return <CopyText text={log[field]} />;
        case 'country':
          return (
            log.country && (
              <Country code={log.country} name={`${countryName(log.country)} (${log.country})`} />
            )
          );
        case 'province':
          return provinceNames[log.province as Province] ?? log.province;
        case 'carrier':
          return carrierNames[log.carrier as Carrier] ?? log.carrier;
        case 'asn':
          return log.asn === 0 ? '' : `AS${log.asn}`;
        case 'decision':
          return log.decision && <Decision decision={log.decision} rule={log.rule} />;
        case 'waf':
          return wafName(log.waf, log.waf_rules);
        case 'site_id':
          return <Named of={field} id={log.site_id} name={log.site_name} />;
        case 'order_id':
          return <Named of={field} id={log.order_id} name={log.order_name} />;
        case 'client_id':
          return <Named of={field} id={log.client_id} name={log.client_name} />;
        case 'node_id':
          return <Named of={field} id={log.node_id} name={log.node_name} />;
        default:
          return measured(log, field);
      }
    },
    [carrierNames, countryName, provinceNames, wafName],
  );
}

/** Sizes and durations with their units; 0 is nothing where it counts nothing. */
function measured(log: AccessLogRow, field: LogField): string | number {
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

/** Leads to what the record tells of, where the reader has a screen of it; what is deleted has its number alone. */
function Named({ of, id, name }: { of: keyof typeof targets; id: number; name: string }) {
  const admin = useAccount().role === 'admin';
  if (id === 0) return '–';
  const isTheirs = of === 'site_id' || of === 'order_id';
  const text = name || `#${id}`;
  if (!admin && !isTheirs) return text;
  return <TextLink target={targets[of]({ id })}>{text}</TextLink>;
}
