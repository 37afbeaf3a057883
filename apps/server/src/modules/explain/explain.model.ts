import type {
  AddressListDocument,
  DocumentKind,
  ExplainedRequest,
  LevelDocument,
  RequestTrace,
  SiteDocument,
} from '@breakwater/contract';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { toByteString } from '@breakwater/policy';
import { prepareAccess, type AccessLookups } from '@breakwater/policy/access';
import { isInSet } from '@breakwater/policy/address-set';
import { explain, unanswered } from '@breakwater/policy/explain';
import { explainedSiteOf } from '@breakwater/policy/explain-trace';
import { findByHost } from '@breakwater/policy/host';
import { levelKeysOf } from '@breakwater/policy/level-keys';
import { findByRegExp } from '@breakwater/policy/regexp';
import { readStoredDocuments, type StoredDocument } from '../../delivery/documents.ts';
import type { Services } from '../../services.ts';
import { ownersOfDomains } from '../site/site-domain.store.ts';

/** What becomes of a request by the documents that are stored: what a node does once it has them all. */
export async function traceOfModel(
  { db, secrets }: Services,
  site: { id: number; line_group_id: number },
  request: ExplainedRequest,
): Promise<RequestTrace> {
  const read = (kind: DocumentKind, keys: string[]) =>
    readStoredDocuments(db, site.line_group_id, kind, keys, secrets.decrypt);
  const [stored] = await read('site', [String(site.id)]);
  if (!stored) return { levels: [], steps: unanswered('unknown_host') };
  const own = inBytes(stored.body) as SiteDocument;
  const keys = levelKeysOf(own);
  const found = await read('level', keys);
  const levels = keys.flatMap((key) => found.find((level) => level.key === key) ?? []);
  const listIds = own.access_control?.rules.flatMap((rule) => rule.address_lists) ?? [];
  const lookups = lookupsOf(await read('address_list', [...new Set(listIds)].map(String)));
  const documents = { own, levels, lookups };
  return {
    revision: stored.revision,
    levels: levels.map(({ key, revision }) => ({ key, revision })),
    steps: inText(await follow(db, documents, inBytes(request) as ExplainedRequest)) as RequestTrace['steps'],
  };
}

async function follow(
  db: Services['db'],
  { own, levels, lookups }: { own: SiteDocument; levels: StoredDocument[]; lookups: AccessLookups },
  request: ExplainedRequest,
): Promise<RequestTrace['steps']> {
  // Whose a host is decides as on a node, among the sites of all; no more of another's is told.
  const owners = await ownersOfDomains(db, { all: true }, namesOf(request.host));
  const domain = findByHost(request.host, (name) => (owners.has(name) ? name : undefined));
  if (domain === undefined) return unanswered('unknown_host');
  if (owners.get(domain) !== own.site_id) return unanswered('other_site');
  const site = explainedSiteOf(
    own,
    levels.map(({ body }) => inBytes(body) as LevelDocument),
    domain,
  );
  site.access = own.access_control && prepareAccess(own.access_control);
  return explain(request, site, { find: findByRegExp, tryRegex: matchPattern, lookups });
}

/** A list that is not there names nobody, as on a node. */
function lookupsOf(lists: StoredDocument[]): AccessLookups {
  const sets = new Map(
    lists.map(({ key, body }) => {
      const { v4, v6 } = body as AddressListDocument;
      return [Number(key), { v4: fromBase64(v4), v6: fromBase64(v6) }];
    }),
  );
  return {
    isListed: (list, address) => {
      const set = sets.get(list);
      return set !== undefined && isInSet(address, set);
    },
  };
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('latin1');

/** A host and the wildcards it may be found by. */
function namesOf(host: string): string[] {
  const labels = host.split('.');
  return [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}

/** Policy takes byte strings, as nginx has them. */
const inBytes = (value: unknown): unknown => mapText(value, toByteString);
const inText = (value: unknown): unknown =>
  mapText(value, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));

function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapText(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapText(part, change)]));
}
