import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeLine, toBytes } from '../apps/server/src/logs/test-lines.ts';
import { closeBrowser, rowOf, seen } from './browser.ts';
import { openSession, walkToSite } from './shell.ts';

/** Rules tried on past traffic: what a replay says is what the edge did, and a draft is looked at before it is saved. */

let world: World;
let site: { id: number; domain: string };
const leaf = (field: string, operator: string, values: string[]) => ({ field, operator, values });
const rules = [
  { action: 'allow', condition: { items: [leaf('user_agent', 'contains', ['friend'])] } },
  { action: 'block', condition: { items: [leaf('path', 'starts_with', ['/admin'])] } },
  { action: 'tag', tag: { name: 'seen' }, condition: { items: [leaf('argument', 'equals', ['1'])] } },
  {
    action: 'block',
    condition: { items: [leaf('tags', 'has', ['seen']), leaf('method', 'equals', ['POST'])] },
  },
  {
    action: 'block',
    mode: 'observe',
    condition: { items: [leaf('referer_host', 'equals', ['evil.example'])] },
  },
  {
    action: 'redirect',
    redirect: { url: 'https://a.example/' },
    condition: { items: [leaf('query', 'regex', ['^to=\\d+$'])] },
  },
].map((rule) => ({
  ...rule,
  condition: {
    items: rule.condition.items.map((item) => (item.field === 'argument' ? { ...item, name: 'q' } : item)),
  },
}));

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  const origin = await world.startOrigin((_, response) => response.end('welcome'));
  site = await makeSite(world.admin, { port: origin.port });
  const { version } = await world.admin.get('getMatcherRule', { params: { id: site.id } });
  await world.admin.get('updateMatcherRule', {
    params: { id: site.id },
    body: { version, value: { rules } as never },
  });
});
afterAll(async () => {
  await closeBrowser();
  await world?.close();
});

const requests: [path: string, method: string, headers: Record<string, string>][] = [
  '/',
  '/admin/x',
  '//Admin/y',
  '/%61dmin',
  '/a?q=1',
  '/a?q=%31&q=2',
  '/b?to=12',
  '/b?to=x',
].flatMap((path) =>
  ['GET', 'POST'].flatMap((method) =>
    [{}, { 'user-agent': 'my friend' }, { referer: 'http://EVIL.example:80/x' }].map(
      (headers): [string, string, Record<string, string>] => [path, method, headers],
    ),
  ),
);

/** What the line says that the edge did, as a replay calls it. */
function outcomeOf({ waf, decision }: { waf: string; decision: string }): string {
  if (decision !== '') return /=redirect/.test(waf) ? 'redirect' : 'block';
  if (/=allow/.test(waf)) return 'allow';
  return /=observe/.test(waf) ? 'observe' : 'pass';
}

test('a replay of what is in force decides as the edge did', async () => {
  await expect.poll(async () => (await world.fetchEdge(site.domain, '/admin')).status).toBe(403);
  // What came before the node had the rules is not compared.
  const start_time = new Date().toISOString();
  for (const [path, method, headers] of requests)
    await world.fetchEdge(site.domain, path, { method, headers } as never);
  const { logStore } = world.server.services;
  const page = { current_page: 1, page_size: 500 };
  const found = () => logStore.search({ clients: 'all' }, { site_id: site.id, start_time }, page);
  await waitFor('all lines', async () => (await found()).total === requests.length);
  const { list } = await found();
  const logged: Record<string, number> = {};
  for (const line of list) {
    const outcome = outcomeOf(line);
    logged[outcome] = (logged[outcome] ?? 0) + 1;
  }
  const answer = await world.admin.get('replaySiteSection', {
    params: { id: site.id },
    body: {
      section: 'matcher_rule',
      value: { rules } as never,
      start_time,
      end_time: new Date(Date.now() + 60_000).toISOString(),
    },
  });
  const replayed = Object.fromEntries(answer.outcomes.map(({ outcome, draft }) => [outcome, draft]));
  expect(replayed).toEqual(logged);
  expect(Object.keys(logged).toSorted()).toEqual(['allow', 'block', 'observe', 'pass', 'redirect']);
  expect(answer).toMatchObject({ newly: 0, freed: 0, unknown: [], changes: [] });
});

test('a draft is tried in the form before it is saved', async () => {
  const { page, scriptErrors } = await openSession(world);
  await page.goto('/dashboard');
  await walkToSite(page, site.domain, 'Custom rules');
  await rowOf(page, 'Custom rules', 2)
    .getByRole('button', { name: /^Expand/ })
    .click();
  await page.getByRole('combobox', { name: 'Mode' }).click();
  await page.getByRole('option', { name: 'Log only' }).click();
  await page.getByRole('button', { name: 'Try on past traffic' }).click();
  const drawer = page.getByRole('dialog', { name: 'Try on past traffic' });
  await seen(
    drawer
      .getByRole('table', { name: 'Changes from the current settings' })
      .getByText('Blocked → Logged only'),
  );
  await drawer.getByRole('combobox', { name: 'Requests affected' }).click();
  await page.getByRole('option', { name: 'Path' }).click();
  await seen(drawer.getByRole('table', { name: 'Path' }).getByText('/admin/x'));
  await seen(drawer.getByRole('table', { name: 'Sample requests' }).getByRole('link').first());
  await page.keyboard.press('Escape');
  expect(scriptErrors).toEqual([]);
});

test('a draft that would stop most requests asks before it is saved', async () => {
  const made = await makeSite(world.admin);
  const lines = Array.from({ length: 120 }, (_, index) =>
    makeLine({
      time: new Date(Date.now() - 600_000 + index).toISOString(),
      request_id: `f${index}`.padStart(32, '0'),
      site_id: made.id,
      host: made.domain,
    }),
  );
  const { logStore } = world.server.services;
  await logStore.ingest({ nodeId: 1, file: 'asked.1', offset: 0, lines: toBytes(lines) });
  const rulesNow = async () =>
    (await world.admin.get('getMatcherRule', { params: { id: made.id } })).value.rules.length;

  const { page, scriptErrors } = await openSession(world);
  await page.goto('/dashboard');
  await walkToSite(page, made.domain, 'Custom rules');
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  await page.getByRole('combobox', { name: 'Action', exact: true }).click();
  await page.getByRole('option', { name: 'Block', exact: true }).click();
  await page.getByRole('combobox', { name: 'Mode', exact: true }).click();
  await page.getByRole('option', { name: 'Enforce' }).click();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const question = page.getByRole('dialog', { name: 'Most requests would be blocked' });
  await save.click();
  await seen(question.getByText(/would block another 100.* of the 120 requests of the last hour/));
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  // The draft stands as it was, unsaved.
  await seen(page.getByRole('combobox', { name: 'Mode', exact: true }).filter({ hasText: 'Enforce' }));
  expect(await save.isEnabled()).toBe(true);
  expect(await rulesNow()).toBe(0);
  await save.click();
  await question.getByRole('button', { name: 'Save anyway' }).click();
  await expect.poll(rulesNow).toBe(1);

  // What a replay knows nothing of has no button.
  await page.goto(`/dashboard/site/sitedetail/${made.id}?tab=guard`);
  await seen(page.getByRole('combobox', { name: 'Mode', exact: true }));
  expect(await page.getByRole('button', { name: 'Try on past traffic' }).count()).toBe(0);
  expect(scriptErrors).toEqual([]);
});
