import { carriers, provinces, type statisticsRoutes } from '@breakwater/contract';
import type * as z from 'zod';
import { useAccount, useMay } from '../../api/account.ts';
import { clientChoices, nodeChoices, orderChoices, siteChoices } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { useCountries } from '../../kit/country.tsx';
import { useDecisionName, useRefusingSections } from '../../domain/decision.ts';
import type { FilterField } from '../../kit/filter/filter-bar.tsx';
import { placesText } from '../../domain/places.text.ts';
import { logText } from './log.text.ts';

type Search = z.output<typeof statisticsRoutes.listRefusedRequests.query> & {
  refused?: 'yes' | 'no' | undefined;
};
export type FilterName = Exclude<keyof Search, 'exclude' | 'current_page' | 'page_size'>;

const cacheStates = ['HIT', 'MISS', 'EXPIRED', 'STALE', 'UPDATING', 'REVALIDATED', 'BYPASS'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** Every filter that a search of the logs has: those named stand in the bar, in that order. `refused` is for a search that knows it. */
export function useLogFilters(
  search: Search,
  inBar: readonly FilterName[],
  { refused = false } = {},
): FilterField[] {
  const t = useText(logText);
  const fields: FilterField[] = [
    { name: { start: 'start_time', end: 'end_time', any: 'any_time' }, label: t.fields.time, kind: 'range' },
    ...useRequestFilters(search),
    ...(refused ? [refusedFilter(t)] : []),
    ...useOwnerFilters(search),
    ...usePlaceFilters(),
    {
      name: 'time_sort',
      label: t.timeSort,
      kind: 'select',
      byDefault: 'desc',
      options: [
        { value: 'desc', label: t.newest },
        { value: 'asc', label: t.oldest },
      ],
    },
  ];
  const place = ({ name }: FilterField) =>
    inBar.indexOf((typeof name === 'string' ? name : name.start) as FilterName);
  const first = fields.filter((field) => place(field) >= 0).toSorted((a, b) => place(a) - place(b));
  return [
    ...first.map((field) => ({ ...field, inBar: true })),
    ...fields.filter((field) => place(field) < 0),
  ];
}

const refusedFilter = (t: (typeof logText)['zh']): FilterField => ({
  name: 'refused',
  label: t.refused,
  kind: 'select',
  options: [
    { value: 'yes', label: t.refusedNames.yes },
    { value: 'no', label: t.refusedNames.no },
  ],
});

function useRequestFilters({ decision }: Search): FilterField[] {
  const t = useText(logText);
  const sections = useRefusingSections();
  const decisionName = useDecisionName();
  // A link may ask for one rule of a section.
  const oneRule =
    decision === undefined || sections.some(({ value }) => value === decision)
      ? []
      : [{ value: decision, label: decisionName(decision) }];
  return [
    { name: 'text', label: t.text, kind: 'text' },
    { name: 'host', label: t.fields.host, kind: 'text' },
    { name: 'request_uri', label: t.fields.request_uri, kind: 'text' },
    { name: 'status_code', label: t.fields.status, kind: 'number' },
    { name: 'remote_addr', label: t.fields.remote_addr, kind: 'text' },
    { name: 'method', label: t.fields.method, kind: 'select', options: asOptions(methods) },
    { name: 'cache_status', label: t.fields.cache_status, kind: 'select', options: asOptions(cacheStates) },
    { name: 'decision', label: t.fields.decision, kind: 'select', options: [...sections, ...oneRule] },
    { name: 'waf', label: t.fields.waf, kind: 'text' },
    { name: 'waf_tag', label: t.fields.waf_tags, kind: 'text' },
    { name: 'user_agent', label: t.fields.user_agent, kind: 'text' },
    { name: 'ja4', label: t.fields.ja4, kind: 'text' },
    { name: 'http_referer', label: t.fields.referer, kind: 'text' },
    { name: 'request_id', label: t.fields.request_id, kind: 'text' },
  ];
}

/** Whose requests: a customer has no choice of nodes and customers, and sees what a link asks for all the same. */
function useOwnerFilters({ node_id, client_id, node_app_id }: Search): FilterField[] {
  const t = useText(logText);
  const admin = useAccount().role === 'admin';
  const appId: FilterField = { name: 'node_app_id', label: t.nodeAppId, kind: 'text' };
  const may = useMay();
  const forAdmins: FilterField[] = [
    may('listClients')
      ? { name: 'client_id', label: t.client, kind: 'remote', choices: clientChoices }
      : numberOf('client_id', `${t.client} ID`),
    may('listNodes')
      ? { name: 'node_id', label: t.node, kind: 'remote', choices: nodeChoices }
      : numberOf('node_id', `${t.node} ID`),
    appId,
  ];
  const asked: FilterField[] = [
    ...(client_id === undefined ? [] : [numberOf('client_id', `${t.client} ID`)]),
    ...(node_id === undefined ? [] : [numberOf('node_id', `${t.node} ID`)]),
    ...(node_app_id === undefined ? [] : [appId]),
  ];
  return [
    may('listSites')
      ? { name: 'site_id', label: t.site, kind: 'remote', choices: siteChoices }
      : numberOf('site_id', `${t.site} ID`),
    may('listOrders')
      ? { name: 'order_id', label: t.order, kind: 'remote', choices: orderChoices }
      : numberOf('order_id', `${t.order} ID`),
    ...(admin ? forAdmins : asked),
  ];
}

const numberOf = (name: string, label: string): FilterField => ({ name, label, kind: 'number' });

function usePlaceFilters(): FilterField[] {
  const t = useText(logText);
  const places = useText(placesText);
  return [
    { name: 'geoip_country_code', label: t.fields.country, kind: 'select', options: useCountries() },
    {
      name: 'province',
      label: t.fields.province,
      kind: 'select',
      options: provinces.map((value) => ({ value, label: places.provinceNames[value] })),
    },
    {
      name: 'carrier',
      label: t.fields.carrier,
      kind: 'select',
      options: carriers.map((value) => ({ value, label: places.carrierNames[value] })),
    },
    { name: 'asn', label: t.fields.asn, kind: 'number' },
  ];
}
