import type { DocumentResult } from '@breakwater/contract/edge-document';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeEnvelope, makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** A node and a control plane of which one is older: what the node does not know, it does not take for nothing. */

let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 1 });
  origin = await startOrigin((_request, response) => response.end('open'));
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

/** A site that keeps out those of whom a test holds. */
function guarded(field: string, operator: string, value: string) {
  const site = makeSite({
    id: 1,
    domains: ['needs.test'],
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    access: {
      rules: [
        { action: 'deny', condition: { items: [{ field: 'path', operator: 'equals', values: ['/'] }] } },
      ],
    },
  });
  const test = { field, operator, values: [value] };
  const rule = site.access_control!.rules[0] as { condition: unknown };
  rule.condition = { match: 'all', items: [test] };
  return site;
}

async function put(document: unknown, kind: 'site' | 'level' = 'site', key = '1'): Promise<DocumentResult> {
  const envelope = makeEnvelope(kind, key, edge.nextRevision(), document);
  return (await edge.control<DocumentResult[]>('POST', '/documents', [envelope]))[0]!;
}

it('serves what it knows, stated or not', async () => {
  const site = guarded('user_agent', 'contains', 'bad');
  expect(await put(site)).toMatchObject({ status: 'applied' });
  expect(await put({ ...site, needs: ['condition.user_agent', 'operator.contains'] })).toMatchObject({
    status: 'applied',
  });
  const headers = { 'user-agent': 'bad' };
  expect((await edge.get('needs.test', '/', { headers })).status).toBe(403);
});

it.each([
  ['a field, stated', { needs: ['condition.ja5'] }, 'user_agent', 'contains', 'condition.ja5'],
  ['a section, stated', { needs: ['section.waf'] }, 'user_agent', 'contains', 'section.waf'],
  ['a field that nobody stated', {}, 'ja5', 'equals', 'condition.ja5'],
  ['an operator that nobody stated', {}, 'user_agent', 'sounds_like', 'operator.sounds_like'],
])('refuses by name %s, and serves on as before', async (_name, more, field, operator, need) => {
  expect(await put({ ...guarded(field, operator, 'x'), ...more })).toMatchObject({
    status: 'refused',
    error: `it needs ${need}, which this edge does not know`,
  });
  const headers = { 'user-agent': 'bad' };
  expect((await edge.get('needs.test', '/', { headers })).status).toBe(403);
});

it('refuses a level alike', async () => {
  const condition = { match: 'all', items: [{ field: 'ja5', operator: 'equals', values: ['x'] }] };
  const level = { level: 'global', access_control: { rules: [{ action: 'deny', condition }], deny: {} } };
  expect((await put(level, 'level', 'global')).status).toBe('refused');
  expect((await put({ level: 'global', needs: ['condition.ja5'] }, 'level', 'global')).error).toContain(
    'condition.ja5',
  );
});
