import type { RouteArguments, routes } from '@breakwater/contract';
import {
  makeAdministrator,
  makeCustomer,
  makeMember,
  makeNode,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeBrowser } from './browser.ts';
import { bothSave, drawerOf, openTwo, type Entered, type SharedForm, type Two } from './two-people.ts';

/** Every drawer that changes what is there, by two people at once. */

let world: World;
let two: Two;
let customer: Customer;
let authority: Authority;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  [two, customer, authority] = await Promise.all([
    openTwo(world),
    makeCustomer(world),
    Authority.make('Authority of two'),
  ]);
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
  await authority?.close();
});

type Opened = Pick<SharedForm, 'open' | 'stored'>;
type Create = Extract<keyof typeof routes, `create${string}`>;

/** What has a list whose rows are called by their names: made, opened there, and read by the calls of its name. */
function entity(kind: string, path: string, action: string, body: object) {
  return async (): Promise<Opened> => {
    const name = unique(kind);
    const create = { body: { name, ...body } } as RouteArguments<(typeof routes)[Create]>;
    const { id } = (await world.admin.get(`create${kind}` as Create, create as never)) as { id: number };
    return { open: drawerOf(`/dashboard/${path}`, name, action), stored: read(`get${kind}`, id) };
  };
}
const read = (route: string, id: number) => () =>
  world.admin.get(route as 'getArea', { params: { id } }) as Promise<{ version: number }>;

/** A screen of its own, and the button there. */
const buttonOf = (path: string, button: string) => async (page: Page) => {
  await page.goto(path);
  await page.getByRole('button', { name: button, exact: true }).click();
  return page.getByRole('dialog');
};

interface Case {
  name: string;
  make: () => Promise<Opened>;
  first: Entered;
  second: Entered;
  both: object;
}

const texts = (first: Entered, second: Entered, both: object) => ({ first, second, both });
const described = texts(
  { Name: 'first', Description: 'theirs' },
  { Description: 'mine' },
  { name: 'first', description: 'mine' },
);

const cases: Case[] = [
  { name: 'area', make: entity('Area', 'node/area', 'Edit', {}), ...described },
  { name: 'line group', make: entity('LineGroup', 'line_group/line_group', 'Edit', {}), ...described },
  {
    name: 'template of custom rules',
    make: entity('WafMatcher', 'site/waf_matcher', 'Edit', {}),
    ...described,
  },
  {
    name: 'tag',
    make: entity('Tag', 'site/tags', 'Edit', {}),
    first: { Name: 'first', Color: { choose: 'Red' } },
    second: { Name: 'mine' },
    both: { name: 'mine', color: 'red' },
  },
  {
    name: 'product',
    make: async () => {
      const { list } = await world.admin.get('listLineGroups', { query: {} });
      const prices = { month: 100, quarter: null, half_year: null, year: null };
      const limits = { sites: null, domains_per_site: null };
      const body = { line_group_id: list[0]!.id, prices, limits };
      return entity('Product', 'product/product', 'Edit', body)();
    },
    first: { Description: 'theirs', Stock: '7' },
    second: { Description: 'mine', Monthly: '3' },
    both: { description: 'mine', stock: 7, prices: { month: 300 } },
  },
  {
    name: 'customer',
    make: async () => {
      const body = { email: `${unique('c')}@example.com`, password: 'a long password' };
      return entity('Client', 'client/client', 'Edit', body)();
    },
    first: { Notes: 'theirs', Phone: '110' },
    second: { Notes: 'mine', Status: { choose: 'Disabled' } },
    both: { remark: 'mine', phone: '110', status: 'disabled' },
  },
  {
    name: 'administrator',
    make: async () => {
      const { id, username } = await makeAdministrator(world, []);
      return {
        open: drawerOf('/dashboard/system/admin_user', username, 'Edit'),
        stored: read('getAdminUser', id),
      };
    },
    first: { 'Full name': 'Theirs', Email: 'ours@example.com' },
    second: { 'Full name': 'Mine', Enabled: false },
    both: { name: 'Mine', email: 'ours@example.com', enabled: false },
  },
  {
    name: 'permission group',
    make: entity('AdminGroup', 'system/admin_user?tab=groups', 'Edit', { permissions: ['area.read'] }),
    first: {
      Description: 'theirs',
      tags: (page) => permission(page, 'Site tags'),
    },
    second: { Description: 'mine', nodes: (page) => permission(page, 'Nodes') },
    both: {
      description: 'mine',
      permissions: expect.arrayContaining(['area.read', 'tag.read', 'node.read']) as unknown,
    },
  },
  {
    name: 'member of a customer',
    make: async () => {
      const { id } = await makeMember(world, customer.api, ['site.read']);
      const { name } = await world.admin.get('getMember', { params: { id } });
      return {
        open: drawerOf(`/dashboard/client/clientdetail/${customer.id}?tab=members`, name, 'Edit'),
        stored: read('getMember', id),
      };
    },
    first: { 'Full name': 'Theirs', tags: (page) => permission(page, 'Site tags') },
    second: { 'Full name': 'Mine', Enabled: false },
    both: { name: 'Mine', enabled: false, permissions: ['site.read', 'tag.read'] },
  },
  {
    name: 'order’s notes',
    make: async () => {
      const { orderId: id } = await makeCustomer(world);
      const { order_no: row } = await world.admin.get('getOrder', { params: { id } });
      return {
        open: drawerOf('/dashboard/finance/order', row, 'Edit alias and notes'),
        stored: read('getOrder', id),
      };
    },
    first: { Notes: 'theirs', Alias: 'Shop' },
    second: { Notes: 'mine' },
    both: { notes: 'mine', another_name: 'Shop' },
  },
  {
    name: 'entry of the domain blacklist',
    make: async () => {
      const body = { name: `${unique('bad')}.example.com`, kind: 'exact' as const };
      const { id } = await world.admin.get('createDomainNameBlacklistEntry', { body });
      return {
        open: drawerOf('/dashboard/system/domain_name_blacklist', body.name, 'Edit'),
        stored: read('getDomainNameBlacklistEntry', id),
      };
    },
    first: { Reason: 'theirs', Enabled: false },
    second: { Reason: 'mine' },
    both: { reason: 'mine', enabled: false },
  },
  {
    name: 'filing number',
    make: async () => {
      const body = { name: `${unique('filed')}.com`, number: '京ICP备12345678号-1', client_id: customer.id };
      const { id } = await world.admin.get('createFiling', { body });
      return {
        open: drawerOf('/dashboard/site/filing', body.name, 'Edit'),
        stored: read('getFiling', id),
      };
    },
    first: { 'Filing number': '京ICP备12345678号-2' },
    second: { 'Filing number': '京ICP备12345678号-3', 'Registrable domain': 'second.com' },
    both: { number: '京ICP备12345678号-3', name: 'second.com' },
  },
  {
    name: 'authority',
    make: entity('AcmeAccount', 'system/acme_account', 'Edit', {
      directory: 'other',
      directory_url: 'https://acme.example.com/directory',
      terms_agreed: true,
    }),
    first: { Priority: '7', 'Certificate profile': 'theirs' },
    second: { Priority: '8', 'Contact email': 'mine@example.com' },
    both: { priority: 8, profile: 'theirs', email: 'mine@example.com' },
  },
  {
    name: 'certificate order',
    make: async () => {
      const { domain } = await makeSite(world.admin, { orderId: customer.orderId });
      await world.admin.get('createAcmeAccount', {
        body: { name: unique('CA'), directory: 'lets_encrypt', terms_agreed: true },
      });
      const body = { client_id: customer.id, domains: [domain] };
      return entity('CertificateOrder', 'site/certificate_order', 'Edit', body)();
    },
    first: { Name: 'theirs' },
    second: { Name: 'mine', 'Keep the private key on renewal': true },
    both: { name: 'mine', reuse_key: true },
  },
  {
    name: 'account at a DNS host',
    make: entity('DnsAccount', 'site/dns_account', 'Edit', {
      provider: 'powerdns',
      params: { url: 'https://dns.example.com', api_key: 'k', server_id: 'localhost' },
    }),
    first: { 'Server ID': 'theirs', Name: 'theirs' },
    second: { 'Server ID': 'mine' },
    both: { name: 'theirs', params: { server_id: 'mine' } },
  },
  {
    name: 'CAPTCHA account',
    make: entity('CaptchaAccount', 'site/captcha_account', 'Edit', {
      provider: 'turnstile',
      params: { site_key: 'before', secret_key: 'k' },
    }),
    first: { 'Site key': 'theirs' },
    second: { 'Site key': 'mine', Name: 'second checks' },
    both: { name: 'second checks', params: { site_key: 'mine' } },
  },
  {
    name: 'address list',
    make: entity('AddressList', 'site/address_list', 'Edit', { content: '192.0.2.1\n192.0.2.2' }),
    first: { Name: 'theirs', Addresses: '192.0.2.2\n192.0.2.3' },
    second: { Name: 'mine', Notes: 'mine', lines: fillLines('192.0.2.1\n192.0.2.2\n192.0.2.9') },
    both: { name: 'mine', description: 'mine', content: '192.0.2.2\n192.0.2.3\n192.0.2.9' },
  },
  {
    name: 'node',
    make: async () => {
      const name = unique('node');
      const { id } = await makeNode(world, { ip: '192.0.2.50', name });
      return { open: drawerOf('/dashboard/node/node', name, 'Edit'), stored: read('getNode', id) };
    },
    first: { 'IP address': '192.0.2.51', Name: 'theirs' },
    second: { Name: 'mine', Enabled: false },
    both: { name: 'mine', ip: '192.0.2.51', enabled: false },
  },
  {
    name: 'line groups of a node',
    make: async () => {
      const { id } = await makeNode(world, { ip: '192.0.2.60' });
      for (const name of ['East', 'West']) await world.admin.get('createLineGroup', { body: { name } });
      return {
        open: buttonOf(`/dashboard/node/nodedetail/${id}`, 'Bind line groups'),
        stored: read('getNode', id),
      };
    },
    first: { 'Line groups': { choose: 'East' } },
    second: { 'Line groups': { choose: 'West' } },
    both: { line_groups: [{ name: 'East' }, { name: 'West' }] },
  },
  {
    name: 'domains of a site',
    make: async () => {
      const { id } = await makeSite(world.admin);
      return {
        open: buttonOf(`/dashboard/site/sitedetail/${id}`, 'Edit domains'),
        stored: read('getSite', id),
      };
    },
    first: { Domains: { add: 'theirs.example.net' } },
    second: { Domains: { add: 'mine.example.net' } },
    both: { domains: expect.arrayContaining(['theirs.example.net', 'mine.example.net']) as unknown },
  },
  {
    name: 'certificate',
    make: uploaded,
    first: { Name: 'theirs', pair: (page) => replace(page, 'theirs.example.org') },
    second: { Name: 'mine', Group: 'Mine' },
    both: { name: 'mine', group_name: 'Mine', domains: ['theirs.example.org'] },
  },
];

/** What is never shown, so that nobody can see whether both have changed it: the second is told. */
const secrets: Case[] = [
  {
    name: 'key of an account',
    make: entity('DnsAccount', 'site/dns_account', 'Edit', {
      provider: 'powerdns',
      params: { url: 'https://dns.example.com', api_key: 'k', server_id: 'localhost' },
    }),
    first: { key: (page) => giveKey(page, 'theirs') },
    second: { key: (page) => giveKey(page, 'mine') },
    both: { params: { api_key_set: true }, version: 3 },
  },
  {
    name: 'certificate that both replace',
    make: uploaded,
    first: { pair: (page) => replace(page, 'theirs.example.org') },
    second: { pair: (page) => replace(page, 'mine.example.org') },
    both: { domains: ['mine.example.org'] },
  },
];

async function giveKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: /: API key$/ }).click();
  await page.getByLabel('API key', { exact: true }).fill(key);
}

const permission = (page: Page, subject: string) =>
  page
    .getByRole('dialog')
    .getByRole('group', { name: subject, exact: true })
    .getByRole('checkbox', { name: /^View/ })
    .check();
async function uploaded(): Promise<Opened> {
  const name = unique('certificate');
  const { certificate: pem, key } = await authority.issue(['www.example.org']);
  const body = { name, certificate: pem, private_key: key };
  const { id } = await customer.api.get('createCertificate', { body });
  return {
    open: drawerOf('/dashboard/site/certificate', name, 'Rename or replace'),
    stored: read('getCertificate', id),
  };
}
function fillLines(text: string) {
  return (page: Page) => page.getByRole('textbox', { name: 'Addresses' }).fill(text);
}
/** Another certificate in the place of the one before. */
async function replace(page: Page, domain: string): Promise<void> {
  const { certificate, key } = await authority.issue([domain]);
  await page.getByLabel('Certificate (PEM)').fill(certificate);
  await page.getByLabel('Private key (PEM)').fill(key);
}

test.each(cases)('$name: what each of two people saves is there', async ({ make, first, second, both }) => {
  await bothSave(two, { ...(await make()), first, second, both });
});

test.each(secrets)('$name: the second is told before theirs replaces it', async ({ make, ...form }) => {
  const told = /never shown\. The other person may have changed it too/;
  await bothSave(two, { ...(await make()), ...form, told });
});
