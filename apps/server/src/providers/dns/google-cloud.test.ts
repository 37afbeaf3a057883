import { createVerify, generateKeyPairSync } from 'node:crypto';
import type { VendorReply, VendorRequest } from '@breakwater/test-world';
import { makeGoogleCloud } from './google-cloud.ts';
import { describeVendor, must, reach, Refusal, type Store, type Stored } from './test-vendor.ts';

/**
 * By https://developers.google.com/identity/protocols/oauth2/service-account#httprest and https://cloud.google.com/dns/docs/reference/rest/v1
 * (`managedZones.list`, `resourceRecordSets.list`, `changes.create`). Google publishes no vector of a signature, since its examples' keys are
 * left out: assertions are verified here as RFC 7515 says, by the public key.
 */

const [right, wrong] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 })) as [
  ReturnType<typeof generateKeyPairSync>,
  ReturnType<typeof generateKeyPairSync>,
];
const email = 'dns@test-project.iam.gserviceaccount.com';
const keyFile = (privateKey: string) =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'test-project',
    private_key: privateKey,
    client_email: email,
    // Nobody asks there: who is called is not for a file to say.
    token_uri: 'https://thief.example/token',
  });
const pemOf = (pair: typeof right) => String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
const accessToken = 'ya29.test-access-token';

function tokenFor({ method, headers, body }: VendorRequest): VendorReply {
  const form = new URLSearchParams(body);
  must(
    method === 'POST' && headers['content-type'] === 'application/x-www-form-urlencoded',
    'invalid_request',
  );
  must(form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'unsupported_grant_type');
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const part = (text: string) =>
    JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
  must(part(head)['alg'] === 'RS256' && part(head)['typ'] === 'JWT', 'invalid_grant');
  const { iss, aud, scope, iat, exp } = part(claims);
  const now = Date.now() / 1000;
  must(iss === email && aud === 'https://oauth2.googleapis.com/token', 'invalid_grant');
  must(scope === 'https://www.googleapis.com/auth/ndev.clouddns.readwrite', 'invalid_scope');
  must(
    Math.abs(now - Number(iat)) < 300 && Number(exp) > now && Number(exp) - Number(iat) <= 3600,
    'invalid_grant',
  );
  const isOurs = createVerify('RSA-SHA256')
    .update(`${head}.${claims}`)
    .verify(right.publicKey, Buffer.from(signature, 'base64url'));
  must(isOurs, 'invalid_grant');
  return { body: { access_token: accessToken, expires_in: 3599, token_type: 'Bearer' } };
}

const statuses: Record<string, number> = {
  authError: 401,
  notFound: 404,
  alreadyExists: 409,
  conditionNotMet: 412,
};
const refusal = (reason: string, message: string, status: number): VendorReply => ({
  status,
  body: { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } },
});

function answer(request: VendorRequest, store: Store): VendorReply {
  const isToken = request.path === '/token';
  try {
    if (isToken) return tokenFor(request);
    must(request.headers.authorization === `Bearer ${accessToken}`, 'authError');
    return act(request, store);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (isToken)
      return { status: 400, body: { error: error.code, error_description: 'Invalid JWT Signature.' } };
    return refusal(error.code, 'no', statuses[error.code] ?? 400);
  }
}

interface RecordSet {
  name: string;
  type: string;
  ttl: number;
  rrdatas: string[];
}

function setsIn(records: readonly Stored[]): RecordSet[] {
  const sets = new Map<string, RecordSet>();
  for (const { name, type, ttl, value } of records) {
    const set = sets.get(`${name} ${type}`) ?? { name: `${name}.`, type, ttl, rrdatas: [] };
    set.rrdatas.push(value);
    sets.set(`${name} ${type}`, set);
  }
  return [...sets.values()];
}

function pageOf<Item>(query: URLSearchParams, items: Item[]) {
  const [max, from] = [Number(query.get('maxResults') ?? 100), Number(query.get('pageToken') ?? 0)];
  must(max <= 1000, 'invalid');
  const more = from + max < items.length ? { nextPageToken: String(from + max) } : {};
  return { items: items.slice(from, from + max), more };
}

function act({ method, path, query, body }: VendorRequest, store: Store): VendorReply {
  const base = '/dns/v1/projects/test-project/managedZones';
  if (path === base) {
    const zones = [...store.zones].map(([name, { id }]) => ({
      name: `z${id}`,
      dnsName: `${name}.`,
      visibility: 'public',
    }));
    const { items, more } = pageOf(query, zones);
    return { body: { kind: 'dns#managedZonesListResponse', managedZones: items, ...more } };
  }
  const [, id = '', what] = /^\/z(\w+)\/(rrsets|changes)$/.exec(path.slice(base.length)) ?? [];
  const zone = store.zone(id);
  must(zone !== undefined, 'notFound');
  if (what === 'rrsets') {
    must(method === 'GET' && (!query.has('type') || query.has('name')), 'invalid');
    const found = setsIn(zone.records).filter(
      (set) =>
        !query.has('name') ||
        (set.name === query.get('name') && (!query.has('type') || set.type === query.get('type'))),
    );
    const { items, more } = pageOf(query, found);
    return { body: { kind: 'dns#resourceRecordSetsListResponse', rrsets: items, ...more } };
  }
  must(method === 'POST', 'invalid');
  return change(store, zone.records, JSON.parse(body) as { additions: RecordSet[]; deletions: RecordSet[] });
}

/** What is deleted has to be as it is there; nothing is changed where one of it is not. */
function change(
  store: Store,
  records: Stored[],
  { additions, deletions }: { additions: RecordSet[]; deletions: RecordSet[] },
): VendorReply {
  store.writing();
  const isSame = (one: RecordSet, other: RecordSet) =>
    one.name === other.name &&
    one.type === other.type &&
    one.ttl === other.ttl &&
    one.rrdatas.join() === other.rrdatas.join();
  for (const set of deletions)
    must(
      setsIn(records).some((known) => isSame(known, set)),
      'conditionNotMet',
    );
  const gone = (set: RecordSet) => deletions.some(({ name, type }) => name === set.name && type === set.type);
  for (const set of additions) {
    must(set.name.endsWith('.') && set.rrdatas.length > 0, 'invalid');
    const isThere = setsIn(records).some(({ name, type }) => name === set.name && type === set.type);
    must(!isThere || gone(set), 'alreadyExists');
  }
  for (const { name, type } of deletions)
    for (const record of records.filter((each) => `${each.name}.` === name && each.type === type))
      store.remove(record.id);
  for (const { name, type, ttl, rrdatas } of additions)
    records.push(
      ...rrdatas.map((value) => ({
        id: store.nextId(),
        name: name.slice(0, -1),
        type,
        line: '',
        ttl,
        value,
      })),
    );
  return { body: { kind: 'dns#change', id: '1', status: 'pending' } };
}

describeVendor({
  name: 'Google Cloud DNS',
  zoneCount: 1001,
  recordCount: 1001,
  answer,
  make: (url, key) =>
    makeGoogleCloud(
      { service_account: keyFile(pemOf(key === 'right' ? right : wrong)) },
      { reach },
      { token: `${url}/token`, api: url },
    ),
  secret: pemOf(right),
  refused: (words) => refusal('invalid', words, 400),
  limited: refusal('rateLimitExceeded', 'Rate Limit Exceeded', 403),
  kept: { txt: '"a text"', mx: { value: '10 mx.example.net.' } },
  putsAnyway: true,
});
