import { randomBytes } from 'node:crypto';
import { sign } from '@breakwater/agent/delivery/signature';
import { routes, type Access, type RouteSpec } from '@breakwater/contract';
import { makeApiClient, makeSite, unique, type ApiClient } from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { Sender, type Attempt } from './requests.ts';
import { exampleOf, type Values } from './schema-edits.ts';

/** An installation and two who may sign in there: all that the fuzz needs to know of it. */
export interface Installation {
  adminUrl: string;
  userUrl: string;
  /** Sessions of an owner, and of a customer with an active order. */
  adminToken: string;
  userToken: string;
}

/** Somebody who calls, with things of their own to call about. */
export interface Caller {
  name: string;
  sender: Sender;
  /** Proof of who calls. */
  headersOf(attempt: Attempt): Record<string, string>;
  mayCall(access: Access): boolean;
  /** Values by the name of a field, newly made where they can be used once; by the entity for `{id}` in a path. */
  valuesFor(path: string): Promise<Values>;
}

/** An owner, a customer and a node of an installation. */
export async function makeCallers(
  installation: Installation,
): Promise<Record<'owner' | 'customer' | 'node', Caller>> {
  const { adminUrl, userUrl, userToken } = installation;
  const adminToken = await signInOwner(makeApiClient(() => adminUrl, installation.adminToken));
  const admin = makeApiClient(() => adminUrl, adminToken);
  const user = makeApiClient(() => userUrl, userToken);
  const shared = await makeShared(admin);
  const bearer = (token: string) => () => ({ authorization: `Bearer ${token}` });
  const { app_id, app_secret } = await admin.get('createNode', {
    body: { name: unique('fuzz'), area_id: shared.area, ip: nextAddress() },
  });
  const base = { sender: new Sender(userUrl) };
  const [ofOwner, ofCustomer] = await Promise.all([makeKept(admin, shared), makeKept(user, shared)]);
  return {
    owner: {
      name: 'owner',
      sender: new Sender(adminUrl),
      headersOf: bearer(adminToken),
      mayCall: (access) =>
        access.kind === 'admin' ||
        access.kind === 'both' ||
        access.kind === 'signed_in' ||
        (access.kind === 'public' && access.on !== 'user'),
      valuesFor: (path) => valuesOf(admin, path, ofOwner, { admin, whose: { client_id: shared.client } }),
    },
    customer: {
      ...base,
      name: 'customer',
      headersOf: bearer(userToken),
      mayCall: (access) =>
        access.kind === 'user' ||
        access.kind === 'both' ||
        access.kind === 'signed_in' ||
        (access.kind === 'public' && access.on !== 'admin'),
      valuesFor: (path) => valuesOf(user, path, ofCustomer, { admin, whose: {} }),
    },
    node: {
      ...base,
      name: 'node',
      headersOf: (attempt) => ({ authorization: signed(app_id, app_secret, attempt) }),
      mayCall: (access) => access.kind === 'node',
      valuesFor: async () => (name) => valuesByName(shared, name),
    },
  };
}

/** An owner whose id no hostile value is: what it sends may change the first administrator, and end their sessions. */
async function signInOwner(admin: ApiClient): Promise<string> {
  const body = { username: unique('fuzz'), password: 'a long password' };
  const { list } = await admin.get('listAdminGroups', { query: {} });
  const group_id = list.find(({ builtin }) => builtin === 'owner')!.id;
  await admin.get('createAdminUser', { body: { ...body, group_id } });
  return (await admin.get('signInAdmin', { body })).token;
}

function signed(appId: string, appSecret: string, { method, target, body = '' }: Attempt): string {
  const nonce = randomBytes(16).toString('hex');
  return sign(appId, appSecret, { method, target, body, time: Math.floor(Date.now() / 1000), nonce });
}

/** Ids by the first part of a path, which names the entity. */
type Ids = Record<string, number>;
interface Shared extends Ids {
  area: number;
  client: number;
}

/** Some place in 198.18.0.0/16, for others may have been here before. */
let addresses = Math.floor(Math.random() * 65_000);
const nextAddress = () => {
  addresses = (addresses + 1) % 65_536;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
};

/** What an owner has made for all to ask about. */
async function makeShared(admin: ApiClient): Promise<Shared> {
  const { id: area } = await admin.get('createArea', { body: { name: unique('fuzz') } });
  const { id: node } = await admin.get('createNode', {
    body: { name: unique('fuzz'), area_id: area, ip: nextAddress() },
  });
  const { id: node_ip } = await admin.get('createNodeIp', { body: { node_id: node, ip: nextAddress() } });
  const { id: line_group } = await admin.get('createLineGroup', { body: { name: unique('fuzz') } });
  const email = `${unique('fuzz')}@example.com`;
  const { id: client } = await admin.get('createClient', {
    body: { name: 'fuzz', email, password: 'a long password' },
  });
  const { list: products } = await admin.get('listProducts', { query: {} });
  const product = products[0]!.id;
  const order = await admin.get('createOrder', {
    body: { client_id: client, product_id: product, cycle: 'month' },
  });
  const { id: group } = await admin.get('createAdminGroup', {
    body: { name: unique('fuzz'), permissions: [] },
  });
  // Nobody asks it for anything: these installations have no worker, or no way there.
  const { id: acme_account } = await admin.get('createAcmeAccount', {
    body: {
      name: unique('fuzz'),
      directory: 'other',
      directory_url: 'https://127.0.0.1:9/dir',
      terms_agreed: true,
    },
  });
  const { list: tasks } = await admin.get('listTasks', { query: {} });
  const { id: data_export } = await admin.get('createDataExport', { body: {} }).catch(() => ({ id: 1 }));
  return {
    area,
    node,
    node_ip,
    line_group,
    group,
    client,
    product,
    order: order.id,
    acme_account,
    task: tasks[0]?.id ?? 1,
    data_export,
  };
}

/** What a caller has of their own for all calls: there may be only so many of them. */
async function makeKept(api: ApiClient, shared: Shared): Promise<Ids> {
  const tags = await api.get('createTag', { body: { name: unique('fuzz'), color: 'blue' } });
  const body = { name: unique('fuzz'), content: '192.0.2.1' };
  const address_list = await api.get('createAddressList', { body });
  const { list: orders } = await api.get('listOrders', { query: {} });
  return {
    ...shared,
    order: orders[0]!.id,
    tags: tags.id,
    address_list: address_list.id,
  };
}

/** Of entities whose body the contract does not tell. */
const makers: Record<string, (api: ApiClient, own: Ids, admin: ApiClient) => Promise<number>> = {
  site_refresh: async (api, own) => {
    const body = { type: 'clean_site' as const, site_ids: [own['site']!] };
    return (await api.get('createSiteRefresh', { body })).ids[0]!;
  },
  site_prefetch: async (api, own, admin) => {
    const { domains } = await namesOf(admin, own['site']!);
    return (await api.get('createSitePrefetch', { body: { urls: [`https://${domains[0]!}/`] } })).ids[0]!;
  },
  user: async (api, own) => {
    const body = { username: unique('fuzz'), password: 'a long password', group_id: own['group']! };
    return (await api.get('createAdminUser', { body })).id;
  },
  user_group: async (api) =>
    (await api.get('createAdminGroup', { body: { name: unique('fuzz'), permissions: [] } })).id,
  filing: async (api, own, admin) => {
    const whose = api === admin ? { client_id: own['client']! } : {};
    const body = { name: `${unique('fuzz')}.com`, number: filingNumber, ...whose };
    return (await api.get('createFiling', { body })).id;
  },
  captcha_account: async (api) => (await api.get('createCaptchaAccount', { body: captchaAccount() })).id,
  dns_account: async (api) => (await api.get('createDnsAccount', { body: dnsAccount() })).id,
};

/** What each call has for itself, so that one that deletes takes nothing from others. */
async function valuesOf(
  api: ApiClient,
  path: string,
  kept: Ids,
  { admin, whose }: { admin: ApiClient; whose: { client_id?: number } },
): Promise<Values> {
  const [, , entity = ''] = path.split('/');
  const own: Ids = { ...kept, site: (await makeSite(api)).id };
  const params = { id: own['site']! };
  const { list: revisions } = await api.get('listSiteRevisions', { params, query: {} });
  own['revision'] = revisions[0]!.id;
  if (entity === 'site_batch' && path.includes('{id}'))
    own['site_batch'] = (await api.get('createSiteBatch', { body: { lines: [newLine()] } })).id;
  const make = makers[entity];
  if (make) own[entity] = await make(api, own, admin);
  const names = entity === 'certificate_order' ? await namesOf(admin, own['site']!) : undefined;
  if (names) {
    const body = {
      name: unique('fuzz'),
      domains: names.domains,
      ...('client_id' in whose ? names.whose : {}),
    };
    own['certificate_order'] = (await api.get('createCertificateOrder', { body })).id;
  }
  const pair = entity === 'certificate' ? await makePair() : undefined;
  if (pair)
    own['certificate'] = (
      await api.get('createCertificate', { body: { ...(await makePair()), ...whose } })
    ).id;
  if (path.endsWith('/remove_entries')) {
    const body = { name: unique('fuzz'), source: 'rules' as const };
    own['address_list'] = (await api.get('createAddressList', { body })).id;
  }
  if (path.includes('{id}')) own[entity] ??= await makeByContract(api, entity, own);
  return (name) => [
    // All of them, of which there are none: the body as a whole, for no field of it is required by itself.
    ...(path.endsWith('/remove_entries') && name === '' ? [{ expected_total: 0 }] : []),
    ...(name === 'id' ? [own[entity] ?? 1] : []),
    ...(names && name === 'domains' ? [names.domains] : []),
    ...(entity === 'filing' && name === 'name' ? [`${unique('fuzz')}.com`] : []),
    ...(pair && (name === 'certificate' || name === 'private_key') ? [pair[name]] : []),
    ...valuesByName(own, name),
  ];
}

/** One of an entity that nothing here knows: made by the call that creates it, if the caller may make it. */
async function makeByContract(api: ApiClient, entity: string, own: Ids): Promise<number> {
  const specs: RouteSpec[] = Object.values(routes);
  const create = specs.find(({ method, path }) => method === 'POST' && path === `/prod-api/${entity}`);
  if (!create?.body) return 1;
  const body = exampleOf(create.body, (name) => valuesByName(own, name));
  const { data } = await api.send('POST', create.path, body);
  return (data as { id?: number } | undefined)?.id ?? 1;
}

const filingNumber = '\u4eacICP\u590712345678\u53f7-1';
const captchaAccount = () => ({
  name: unique('fuzz'),
  provider: 'turnstile' as const,
  params: { site_key: 'fuzz', secret_key: 'fuzz', url: 'http://127.0.0.1:9' },
});
const dnsAccount = () => ({
  name: unique('fuzz'),
  provider: 'powerdns' as const,
  params: { url: 'http://127.0.0.1:9', api_key: 'fuzz' },
});
/** What a certificate can be obtained for, and by whom. */
async function namesOf(admin: ApiClient, id: number) {
  const { domains, client_id } = await admin.get('getSite', { params: { id } });
  for (const domain of domains) await admin.get('grantDomain', { params: { id }, body: { domain } });
  return { domains, whose: { client_id } };
}

const newDomain = () => `${unique('fuzz')}.example.com`;
const newLine = () => `${newDomain()}|127.0.0.1:9`;

async function makePair() {
  const authority = await Authority.make('fuzz');
  const { certificate, key } = await authority.issue([newDomain()]);
  await authority.close();
  return { name: unique('fuzz'), certificate, private_key: key };
}

/** In the order in which they are tried. */
function valuesByName(ids: Ids, name: string): unknown[] {
  const entity = name.replace(/_ids?$/, '');
  const byEntity = name !== entity && ids[entity] !== undefined ? [ids[entity], [ids[entity]]] : [];
  const now = Date.now();
  const known: Record<string, () => unknown[]> = {
    name: () => [unique('fuzz')],
    username: () => [unique('fuzz')],
    email: () => [`${unique('fuzz')}@example.com`],
    domains: () => [[newDomain()], newDomain()],
    lines: () => [[newLine()], newLine()],
    ip: () => [nextAddress()],
    origin: () => ['127.0.0.1'],
    password: () => ['a long password'],
    // Nobody listens there.
    url: () => ['http://127.0.0.1:9/list'],
    sites: () => [{ site_ids: [ids['site']] }],
    certificates: () => [{ certificate_ids: [ids['certificate'] ?? 1] }],
    start_time: () => [new Date(now - 3_600_000).toISOString()],
    end_time: () => [new Date(now).toISOString()],
    interval: () => [60],
    from: () => [1],
    to: () => [1],
    version: () => [1],
    level: () => ['global'],
    target_id: () => [0],
    content: () => ['192.0.2.1'],
    file: () => ['access.log'],
    file_rotate_bytes: () => [1024 ** 2],
    color: () => ['blue'],
    number: () => [filingNumber],
    // One whose fields all have defaults.
    section: () => ['speed_optimize'],
    value: () => [{}, dnsAccount(), captchaAccount()],
    subject_kind: () => ['site'],
    subject_id: () => [ids['site']],
  };
  return [...byEntity, ...(Object.hasOwn(known, name) ? known[name]!() : [])];
}
