import {
  routes,
  tokenPermissions,
  userPermissions,
  type RouteName,
  type RouteSpec,
} from '@breakwater/contract';
import {
  makeCustomer,
  makeMember,
  makeSite,
  startWorld,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { rowsOf } from '../src/delivery/queryable.ts';
import { makeCallers, type Caller } from './callers.ts';
import { sendValid } from './fuzz-call.ts';
import { makeLines } from '../src/logs/test-lines.ts';
import { fieldsOf, isRequired, type Values } from './schema-edits.ts';

/**
 * Every call that customers may make, made by one customer and a member of theirs about what is another's, and by a token
 * and a member for one site about the rest: with an input that the owner's own call takes. Nothing of the owner's is answered, and nothing of theirs changes.
 */

let world: World;
let owner: Caller;
/** Another customer, and somebody in that customer's account. */
let strangers: Caller[];
let ownerId: number;
/** The owner with a token, and a member of the owner's, limited to one site, which no call here is about. */
let limited: Caller[];
let siteOfLimited: number;

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  const body = { username: 'admin', password: world.adminPassword };
  const { token: adminToken } = await world.anonymous.get('signInAdmin', { body });
  const callerOf = async () => {
    const made = await makeCustomer(world);
    const { email, password } = made;
    const { token } = await world.anonymousUser.get('signInClient', { body: { email, password } });
    const { adminUrl, userUrl } = world;
    const { customer } = await makeCallers({ adminUrl, userUrl, adminToken, userToken: token });
    return { ...made, customer };
  };
  const first = await callerOf();
  ({ id: ownerId, customer: owner } = first);
  const second = await callerOf();
  strangers = [second.customer, await memberOf(second, [])];
  ({ id: siteOfLimited } = await makeSite(first.api));
  limited = [await tokenOf(first), await memberOf(first, [siteOfLimited])];
});

/** A token of the owner's with all that one can hold, for one of their sites. */
async function tokenOf({ api, password }: Customer): Promise<Caller> {
  const permissions = userPermissions.filter((name) => tokenPermissions.includes(name));
  const body = { name: 'limited', password, permissions, site_ids: [siteOfLimited] };
  const { token } = await api.get('createApiToken', { body });
  return { ...owner, name: 'token', headersOf: () => ({ authorization: `Bearer ${token}` }) };
}

/** A member with all that one can hold. */
async function memberOf(
  { api, customer }: Customer & { customer: Caller },
  sites: number[],
): Promise<Caller> {
  const { email, password } = await makeMember(world, api, userPermissions, sites);
  const { token } = await world.anonymousUser.get('signInClient', { body: { email, password } });
  return { ...customer, name: 'member', headersOf: () => ({ authorization: `Bearer ${token}` }) };
}
afterAll(() => world.close());

const specs = (Object.entries(routes) as [RouteName, RouteSpec][]).filter(
  ([, { access }]) => access.kind === 'both' || access.kind === 'user',
);

/** Tables that say whose their rows are, or which site's. */
let tables: { name: string; by: 'client_id' | 'site_id'; named: boolean }[];
beforeAll(async () => {
  tables = await rowsOf(
    world.server.services.db,
    sql`SELECT DISTINCT ON (table_name) table_name AS name, column_name AS by,
          EXISTS (SELECT FROM information_schema.columns n
            WHERE n.table_schema = 'public' AND n.table_name = c.table_name AND n.column_name = 'name') AS named
        FROM information_schema.columns c
        WHERE table_schema = 'public' AND column_name IN ('client_id', 'site_id')
          -- Its use is noted there.
          AND table_name <> 'api_token' ORDER BY table_name, column_name`,
  );
});

/** All rows of the owner there, each table as a hash. */
async function rowsOfOwner(): Promise<{ name: string; content: string }[]> {
  const parts = tables.map(({ name, by }) => {
    const of =
      by === 'client_id' ? sql`${ownerId}` : sql`ANY (SELECT id FROM site WHERE client_id = ${ownerId})`;
    return sql`SELECT ${name} AS name, md5(string_agg(t::text, ' ' ORDER BY t::text)) AS content
               FROM ${sql.identifier(name)} t WHERE ${sql.identifier(by)} = ${of}`;
  });
  return rowsOf(world.server.services.db, sql.join(parts, sql` UNION ALL `));
}

/** What can be told of somebody's things: their names, and their own. */
async function wordsOfOwner(): Promise<string[]> {
  const names = tables
    .filter(({ by, named }) => named && by === 'client_id')
    .map(({ name }) => sql` UNION SELECT name FROM ${sql.identifier(name)} WHERE client_id = ${ownerId}`);
  const rows = await rowsOf<{ word: string }>(
    world.server.services.db,
    sql`SELECT domain AS word FROM site_domain JOIN site s ON s.id = site_id
          WHERE s.client_id = ${ownerId} AND s.id <> ${siteOfLimited}
        UNION SELECT cname_label FROM site WHERE client_id = ${ownerId} AND id <> ${siteOfLimited}
        UNION SELECT order_no FROM "order" WHERE client_id = ${ownerId}${sql.join(names)}`,
  );
  return rows.map(({ word }) => word);
}

const wordsOfAccount = (): Promise<string[]> =>
  rowsOf<{ word: string }>(
    world.server.services.db,
    sql`SELECT unnest(ARRAY[name, email]) AS word FROM client WHERE id = ${ownerId}`,
  ).then((rows) => rows.map(({ word }) => word));

/** Whether a call is about one thing, or several, that have to be named. */
const namesSomething = ({ params, query, body }: RouteSpec): boolean =>
  [params, query, body].some((part) =>
    fieldsOf(part).some(([name, field]) => isRequired(field) && /^id$|^sites$|_ids?$/.test(name)),
  );

async function eachInTurn<Of, Result>(all: Of[], work: (one: Of) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}

const read = new Map<string, Promise<Values>>();

/** Things of the owner's for a call: what only reads leaves them to the next that does. */
function valuesFor({ method, path }: RouteSpec): Promise<Values> {
  const make = async () => withViolation(path, await withLoggedRequest(await owner.valuesFor(path)));
  if (method !== 'GET') return make();
  // Those of an entity are made for calls that name one.
  const [, , entity = ''] = path.split('/');
  const about = path.includes('{id}') ? `one ${entity}` : entity;
  const kept = read.get(about) ?? make();
  read.set(about, kept);
  return kept;
}

/** The site of these values has answered a request, which stands in the access log. */
async function withLoggedRequest(values: Values): Promise<Values> {
  const siteId = values('site_id').find((value) => typeof value === 'number')!;
  const [line] = makeLines(1, new Date());
  const lines = Buffer.from(`${JSON.stringify({ ...line, site_id: siteId, client_id: ownerId })}\n`);
  const file = `foreign.${siteId}`;
  await world.server.services.logStore.ingest({ nodeId: 1, file, offset: 0, lines });
  return (name) => (name === 'request_id' ? [line!.request_id] : values(name));
}

/** One that was found on the site of these values: no call makes any. */
async function withViolation(path: string, values: Values): Promise<Values> {
  if (!path.includes('/site_filter/{id}')) return values;
  const siteId = values('site_id').find((value) => typeof value === 'number')!;
  const [row] = await rowsOf<{ id: number }>(
    world.server.services.db,
    sql`INSERT INTO site_violation (site_id, host, request_uri, word, excerpt, action)
        VALUES (${siteId}, 'fuzz.example.com', '/', 'word', 'a word', 'recorded') RETURNING id`,
  );
  return (name) => (name === 'id' ? [row!.id] : values(name));
}

describe('who call about what is another’s, or not of the site that they are limited to', () => {
  it.each(specs)('%s', async (name, spec) => {
    const values = await valuesFor(spec);
    const before = await rowsOfOwner();
    const words = await wordsOfOwner();
    const send = (caller: Caller) => sendValid(caller, name, values, owner);
    const ofStrangers = await eachInTurn(strangers, send);
    const ofLimited = await eachInTurn(limited, send);
    expect(await rowsOfOwner()).toEqual(before);
    const wordsToStrangers = [...words, ...(await wordsOfAccount())];
    for (const { body } of ofStrangers) for (const word of wordsToStrangers) expect(body).not.toContain(word);
    for (const { body } of ofLimited) for (const word of words) expect(body).not.toContain(word);
    if (!namesSomething(spec)) return;
    // For its owner it is there, even where a rule keeps them from it: what was refused is whose it is.
    const taken = await sendValid(owner, name, values, owner);
    expect(taken.status, taken.body).not.toBe(404);
    for (const refused of [...ofStrangers, ...ofLimited]) {
      expect(refused.status, refused.body).toBeGreaterThanOrEqual(400);
      expect(taken.body, taken.body).not.toBe(refused.body);
    }
  });
});
