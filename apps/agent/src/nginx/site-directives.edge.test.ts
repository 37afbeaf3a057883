import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { advancedConfig, type DocumentEnvelope } from '@breakwater/contract';
import { startEdge, type EdgeProcess } from '@breakwater/edge/process/edge-process';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { DocumentStore } from '../delivery/apply.ts';
import { EdgeControl } from './edge-control.ts';
import { DirectiveKeeper } from './site-directives.ts';
import {
  edgeOptions,
  envelopeOf,
  regexRule,
  siteDocument,
  siteEnvelope,
  statusOf,
  temporaryFolder,
} from '../test-edge.ts';

/** A node's documents and what they tell nginx; `restart` is what a restart of the agent does. */
async function startNode() {
  const edgeDir = await temporaryFolder();
  const options = await edgeOptions();
  const logger = pino({ level: 'silent' });
  let edge: EdgeProcess | undefined;
  const control = new EdgeControl(join(edgeDir, 'run/control.sock'));
  onTestFinished(async () => {
    control.close();
    await edge?.stop(0);
  });
  let keeper: DirectiveKeeper;
  let store: DocumentStore;
  const restart = async () => {
    await edge?.stop(5);
    keeper = new DirectiveKeeper({ path: join(edgeDir, 'directives.json'), edge: () => edge!, logger });
    edge = await startEdge({ ...options, edgeDir, siteDirectives: () => keeper.load() });
    store = new DocumentStore({
      documentsDir: join(edgeDir, 'documents'),
      control,
      logger,
      onDocument: (name, body) => keeper.track(name, body),
      beforeApply: (documents) => keeper.prepare(documents),
      afterApply: () => keeper.settle(),
    });
    await store.load();
  };
  await restart();
  return {
    restart,
    edgeDir,
    reconcile: () => store.reconcile(),
    apply: (...documents: DocumentEnvelope[]) => store.apply(documents),
    status: (id: number) => statusOf(options.httpPorts[0]!, `site${id}.example.com`),
    complaint: (snippet: string) => keeper.complaintAbout(1, snippet),
    directed: () => edge!.siteDirectives.map(({ siteId }) => siteId),
  };
}

const saying = (id: number, revision: number, snippet: string) =>
  siteEnvelope(id, revision, { advanced_config: advancedConfig.parse({ snippet }) });

it('gives nginx what documents bring, refuses alone what it does not take, and keeps the last good', async () => {
  const node = await startNode();
  const results = await node.apply(
    saying(1, 1, 'return 410;'),
    saying(2, 2, 'expires 1h; expires 2h;'),
    saying(3, 3, 'include /etc/shadow;'),
    saying(4, 4, 'return 403;'),
  );
  expect(results.map(({ status }) => status)).toEqual(['applied', 'refused', 'refused', 'applied']);
  expect(results[1]!.error).toBe(`nginx refuses the site's directives: "expires" directive is duplicate`);
  expect(results[2]!.error).toContain('line 1');
  expect([await node.status(1), await node.status(4), await node.status(2)]).toEqual([410, 403, 421]);

  const [bad] = await node.apply(saying(1, 5, 'allow nowhere;'));
  expect(bad!.status).toBe('refused');
  expect(await node.status(1)).toBe(410);
  await node.apply(saying(1, 6, 'return 451;'));
  expect(await node.status(1)).toBe(451);
  await node.apply(siteEnvelope(1, 7), { kind: 'site', key: '4', revision: 8, deleted: true });
  expect(node.directed()).toEqual([]);
  expect(await node.status(1)).toBe(502);
});

it('starts with what it had, and without what nginx would not start with', async () => {
  const node = await startNode();
  await node.apply(saying(1, 1, 'return 410;'));
  await node.restart();
  expect(await node.status(1)).toBe(410);
  const broken = [{ siteId: 1, text: 'no_such_directive;', places: ['plain'] }];
  await writeFile(join(node.edgeDir, 'directives.json'), JSON.stringify(broken));
  await node.restart();
  expect(await node.status(1)).toBe(502);
  await node.reconcile();
  expect(await node.status(1)).toBe(410);
});

it('tries directives without a trace', async () => {
  const node = await startNode();
  expect(await node.complaint('charset utf-8;')).toBeUndefined();
  expect(await node.complaint('expires 1h; expires 2h;')).toBe('"expires" directive is duplicate');
  expect(await node.complaint('root /;')).toContain('line 1');
  expect(node.directed()).toEqual([]);
  expect((await readdir(join(node.edgeDir, 'conf'))).filter((name) => name.includes('try'))).toEqual([]);
});

it('has every place ready for a site whose cache rules come from elsewhere', async () => {
  const node = await startNode();
  const { cache_rule: _, ...inheriting } = siteDocument(1, {
    advanced_config: advancedConfig.parse({ snippet: 'return 410;' }),
  });
  const rules = [{ ...regexRule('.')[0]!, type: 'all' as const, content: [], lock: false }];
  await node.apply(envelopeOf('site', '1', 1, inheriting));
  expect(await node.status(1)).toBe(410);
  await node.apply(envelopeOf('level', 'global', 2, { level: 'global', cache_rule: rules }));
  expect(await node.status(1)).toBe(410);
});

it('leaves out a line that was allowed once, and keeps the others of the site', async () => {
  const node = await startNode();
  const snippet = 'add_header X-Accel-Redirect "/x";\nadd_header Content_Length 3;\nreturn 410;';
  const [applied] = await node.apply(saying(1, 1, snippet));
  expect(applied!.status).toBe('applied');
  expect(await node.status(1)).toBe(410);
  expect(await readFile(join(node.edgeDir, 'conf/nginx.conf'), 'utf8')).not.toMatch(/add_header "[XC]/);
  expect(await node.complaint(snippet)).toBe("line 1 of the site's directives: snippet_field");

  // What an older agent has left is asked once more before nginx starts with it.
  const left = [
    { siteId: 1, text: `add_header "X-Accel-Redirect" "$uri";\nreturn "410";`, places: ['plain'] },
  ];
  await writeFile(join(node.edgeDir, 'directives.json'), JSON.stringify(left));
  await node.restart();
  expect(await node.status(1)).toBe(410);
  expect(await readFile(join(node.edgeDir, 'conf/nginx.conf'), 'utf8')).not.toMatch(/add_header "X-A/);
});
