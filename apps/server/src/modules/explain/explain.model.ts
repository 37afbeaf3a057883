import { createHash, createHmac } from 'node:crypto';
import type {
  AddressListDocument,
  DocumentKind,
  ExplainedRequest,
  IpDataDocument,
  KnownVulnerabilityDocument,
  LevelDocument,
  RequestTrace,
  SiteDocument,
} from '@breakwater/contract';
import { findPattern } from '@breakwater/contract/pattern-find';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { prepareAccess } from '@breakwater/policy/access/access';
import type { AddressLookups } from '@breakwater/policy/conditions/address-fact';
import { isInSet, type AddressSet } from '@breakwater/policy/address/address-set';
import { explain, unanswered } from '@breakwater/policy/explain/explain';
import { explainedSiteOf, type BanNow } from '@breakwater/policy/explain/trace';
import { prepareKnown } from '@breakwater/policy/detect/known-rules';
import { findByHost } from '@breakwater/policy/http/host';
import { asnIn, placeIn } from '@breakwater/policy/address/ip-data';
import { documentsBeside, levelKeysOf } from '@breakwater/policy/site/level-keys';
import type { RobotOfAddress } from '@breakwater/policy/access/search-robots';
import { readStoredDocuments, type StoredDocument } from '../../delivery/documents.ts';
import { servedNames } from '../../served-names.ts';
import { inBytes, inText } from '../../byte-strings.ts';
import type { Services } from '../../services.ts';
import { networksOf, tableOf } from '../ip-data/ip-data.service.ts';
import { robotOfAddress } from '../ip-data/robot.service.ts';
import { banAgainst } from '../site-reject/site-reject.service.ts';
import { ownersOnNodes } from '../site-domain/site-domain.store.ts';

/** What becomes of a request by the documents that are stored: what a node does once it has them all. */
export async function traceOfModel(
  { db, secrets }: Services,
  site: { id: number; line_group_id: number },
  request: ExplainedRequest,
): Promise<RequestTrace> {
  const read = (kind: DocumentKind, keys: string[]) =>
    readStoredDocuments(db, site.line_group_id, kind, keys, secrets.decrypt);
  const [stored] = await read('site', [String(site.id)]);
  if (!stored) return { documents: [], steps: unanswered('unknown_host') };
  const own = inBytes(stored.body) as SiteDocument;
  const find = async (kind: DocumentKind, keys: string[]): Promise<Other[]> => {
    if (keys.length === 0) return [];
    const found = await read(kind, keys);
    // In the order in which they are asked for, which of levels says which is nearest.
    return keys.flatMap((key) => found.filter((each) => each.key === key)).map((each) => ({ kind, ...each }));
  };
  const levels = await find('level', levelKeysOf(own));
  const beside = documentsBeside(own, levels.map(levelIn));
  const ofKind = (kind: DocumentKind) =>
    find(
      kind,
      beside.flatMap((each) => (each.kind === kind ? each.key : [])),
    );
  const others = [
    ...levels,
    ...(await ofKind('address_list')),
    ...(await ofKind('ip_data')),
    ...(await ofKind('known_vulnerability')),
  ];
  return {
    revision: stored.revision,
    documents: others.map(({ kind, key, revision }) => ({ kind, key, revision })),
    steps: inText(
      await follow(db, own, others, inBytes(request) as ExplainedRequest),
    ) as RequestTrace['steps'],
  };
}

type Other = StoredDocument & { kind: DocumentKind };
const levelIn = ({ body }: Other) => inBytes(body) as LevelDocument;

async function follow(
  db: Services['db'],
  own: SiteDocument,
  others: Other[],
  request: ExplainedRequest,
): Promise<RequestTrace['steps']> {
  // Whose a host is decides as on a node, among the sites of all; no more of another's is told.
  const owners = await ownersOnNodes(db, servedNames(request.host));
  const domain = findByHost(request.host, (name) => (owners.has(name) ? name : undefined));
  if (domain === undefined) return unanswered('unknown_host');
  if (owners.get(domain) !== own.site_id) return unanswered('other_site');
  const site = explainedSiteOf(
    own,
    others.flatMap((other) => (other.kind === 'level' ? levelIn(other) : [])),
    domain,
  );
  site.access = prepareAccess(site.document);
  const rules = others.find(({ kind }) => kind === 'known_vulnerability');
  site.known = rules && prepareKnown((rules.body as KnownVulnerabilityDocument).rules);
  const lookups = lookupsOf(others);
  const known = new Map<string, RobotOfAddress>();
  const bans = new Map<string, BanNow | undefined>();
  const traceIt = () =>
    explain(request, site, {
      find: findPattern,
      tryRegex: matchPattern,
      md5Hex,
      hmacHex,
      lookups: { ...lookups, robotOf: (address) => known.get(address) ?? void known.set(address, undefined) },
      ban: (address) => bans.get(address) ?? void bans.set(address, undefined),
    });
  const first = traceIt();
  for (const address of bans.keys()) bans.set(address, await banAgainst(db, own, address));
  const steps = [...bans.values()].some(Boolean) ? traceIt() : first;
  if (known.size === 0) return steps;
  // Rules asked whose robots an address has: DNS says it, and then they are asked again.
  for (const address of known.keys()) known.set(address, await robotOfAddress(db, address));
  return traceIt();
}

/** A list that is not there names nobody, and without the table of places nobody is anywhere, as on a node. */
function lookupsOf(others: Other[]): AddressLookups {
  const sets = new Map(
    others.flatMap(({ kind, key, body }): [number, AddressSet][] => {
      if (kind !== 'address_list') return [];
      const { v4, v6 } = body as AddressListDocument;
      return [[Number(key), { v4: fromBase64(v4), v6: fromBase64(v6) }]];
    }),
  );
  const places = others.find(({ kind }) => kind === 'ip_data');
  const table = places && tableOf(places.body as IpDataDocument);
  const networks = places && networksOf(places.body as IpDataDocument);
  return {
    isListed: (list, address) => {
      const set = sets.get(list);
      return set !== undefined && isInSet(address, set);
    },
    placeOf: (address) => table && placeIn(table, address),
    asnOf: (address) => networks && asnIn(networks, address),
  };
}

const hmacHex = (key: string, bytes: string): string =>
  createHmac('sha256', Buffer.from(key, 'latin1')).update(bytes, 'latin1').digest('hex');
const md5Hex = (bytes: string): string => createHash('md5').update(bytes, 'latin1').digest('hex');
const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('latin1');
