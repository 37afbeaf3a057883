import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEdge, type EdgeProcess } from '@breakwater/edge/process/edge-process';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DocumentStore } from './apply.ts';
import { EdgeControl } from '../nginx/edge-control.ts';
import { edgeOptions, regexRule, siteEnvelope, statusOf, temporaryFolder } from '../test-edge.ts';

async function startWorld() {
  const edgeDir = await temporaryFolder();
  const options = await edgeOptions();
  let edge: EdgeProcess = await startEdge({ ...options, edgeDir });
  onTestFinished(() => edge.stop(0));
  const control = new EdgeControl(edge.controlSocket);
  onTestFinished(() => control.close());
  const logger = pino({ level: 'silent' });
  const openStore = async () => {
    const store = new DocumentStore({ documentsDir: edge.documentsDir, control, logger });
    return { store, whole: await store.load() };
  };
  const status = (id: number) => statusOf(options.httpPorts[0]!, `site${id}.example.com`);
  const restartNginx = async () => {
    await edge.stop(0);
    edge = await startEdge({ ...options, edgeDir });
  };
  return {
    folder: join(edgeDir, 'documents', 'site'),
    control,
    openStore,
    status,
    restartNginx,
    edge: () => edge,
  };
}

const applied = expect.objectContaining({ status: 'applied' });

describe('documents of a node', { timeout: 30_000 }, () => {
  it('puts documents into service, on disk and out of service', async () => {
    const { folder, openStore, status } = await startWorld();
    const { store } = await openStore();
    expect(await status(1)).toBe(421);
    expect(await store.apply([siteEnvelope(1, 1), siteEnvelope(2, 2)])).toEqual([applied, applied]);
    expect([await status(1), await status(2)]).toEqual([502, 502]);
    expect((await readdir(folder)).sort()).toEqual(['1.json', '2.json']);
    expect(await store.apply([{ kind: 'site', key: '1', revision: 3, deleted: true }])).toEqual([applied]);
    expect([await status(1), await status(2)]).toEqual([421, 502]);
    expect(await readdir(folder)).toEqual(['2.json']);
  });

  it('refuses by name what only a newer control plane has, alone', async () => {
    const { openStore, status } = await startWorld();
    const { store } = await openStore();
    const later = { ...siteEnvelope(3, 1), kind: 'of_a_later_release' };
    const page = [
      later,
      { ...siteEnvelope(1, 2), of_a_later_release: 'x' },
      { ...later, key: '4', deleted: true },
    ];
    expect(await store.apply(page)).toEqual([
      {
        kind: 'of_a_later_release',
        key: '3',
        revision: 1,
        status: 'refused',
        error: 'documents of kind of_a_later_release are unknown to this agent',
      },
      applied,
      applied,
    ]);
    expect(await status(1)).toBe(502);
  });

  it('keeps the last good revision when nginx refuses one, alone', async () => {
    const { folder, openStore, status } = await startWorld();
    const { store } = await openStore();
    await store.apply([siteEnvelope(1, 1)]);
    const before = await readFile(join(folder, '1.json'), 'utf8');
    // JavaScript takes this pattern, PCRE does not: its lookbehind has no fixed length.
    const bad = siteEnvelope(1, 2, { cache_rule: regexRule('(?<=a+)b') });
    const results = await store.apply([bad, siteEnvelope(2, 3)]);
    expect(results).toEqual([expect.objectContaining({ key: '1', revision: 2, status: 'refused' }), applied]);
    expect(results[0]!.error).toMatch(/lookbehind/);
    expect([await status(1), await status(2)]).toEqual([502, 502]);
    expect(await readFile(join(folder, '1.json'), 'utf8')).toBe(before);
    expect((await readdir(folder)).sort()).toEqual(['1.json', '2.json']);
    expect(await store.apply([siteEnvelope(1, 4)])).toEqual([applied]);
  });

  it('refuses a key that is no file name and a body that is not what was sent', async () => {
    const { openStore } = await startWorld();
    const { store } = await openStore();
    const results = await store.apply([
      { ...siteEnvelope(1, 1), key: '../../etc/passwd' },
      { ...siteEnvelope(2, 2), hash: 'f'.repeat(64) },
      { kind: 'site', key: '3', revision: 3, deleted: false },
    ]);
    expect(results.map(({ status, error }) => `${status}: ${error}`)).toEqual([
      'refused: the key of the document cannot be a file name',
      'refused: the hash is not that of the body',
      'refused: the document has no body',
    ]);
  });

  it('takes the domains of a document that came late to the newer one', async () => {
    const { openStore, status, control } = await startWorld();
    const { store } = await openStore();
    await store.apply([siteEnvelope(1, 1), siteEnvelope(2, 2)]);
    // The sites changed their domains with each other; what a node sees of it is the last revision of each.
    const swapped = [
      siteEnvelope(2, 5, { domains: ['site1.example.com'] }),
      siteEnvelope(1, 6, { domains: ['site2.example.com'] }),
    ];
    expect(await store.apply(swapped)).toEqual([applied, applied]);
    expect([await status(1), await status(2)]).toEqual([502, 502]);
    expect(await control.heldDocuments()).toHaveLength(2);
  });

  it('survives nginx and agent, together or one of them', async () => {
    const { folder, openStore, status, restartNginx, control } = await startWorld();
    const { store } = await openStore();
    await store.apply([siteEnvelope(1, 1), siteEnvelope(2, 2)]);
    await restartNginx();
    expect([await status(1), await status(2)]).toEqual([502, 502]);
    // The agent died between writing a file aside and putting it in place, and a file was damaged.
    await writeFile(join(folder, '.1.json.tmp'), '{');
    await writeFile(join(folder, '2.json'), '{"kind":"site"');
    const next = await openStore();
    expect(next.whole).toBe(false);
    expect(await readdir(folder)).toEqual(['1.json']);
    expect(await next.store.reconcile()).toBe(true);
    await next.store.removeUnnamed(new Set(['site/2']));
    expect([await status(1), await status(2)]).toEqual([421, 502]);
    expect((await control.heldDocuments()).map(({ key }) => key)).toEqual(['2']);
  });

  it('gives a nginx that lost its documents what lies on disk', async () => {
    const { openStore, status, control } = await startWorld();
    const { store } = await openStore();
    await store.apply([siteEnvelope(1, 1)]);
    await control.apply([{ kind: 'site', key: '1', revision: 1, deleted: true }]);
    expect(await status(1)).toBe(421);
    expect(await store.reconcile()).toBe(true);
    expect(await status(1)).toBe(502);
  });
});
