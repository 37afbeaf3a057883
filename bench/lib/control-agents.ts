import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ControlPlane } from '../../apps/agent/src/delivery/control-plane.ts';
import { makeGroup } from './node-group.ts';
import { median } from './result.ts';
import type { ServerProcess } from './server-process.ts';

/** Agents that speak the real protocol and have no nginx: what they are sent they acknowledge. */

/** Follows the control plane as the agent does (`apps/agent/src/delivery/pull.ts`); tells of each revision that it has acknowledged. */
async function runAgent(plane: ControlPlane, signal: AbortSignal, onDone: () => void): Promise<void> {
  let position = { since: 0, generation: 0 };
  let spread = 0;
  let pulling: Promise<void> | undefined;
  const pull = async () => {
    for (let more = true; more;) {
      const page = await plane.documents(position);
      position = { since: page.next_since, generation: page.generation };
      const results = page.documents.map(
        ({ kind, key, revision }) => ({ kind, key, revision, status: 'applied' }) as const,
      );
      if (results.length > 0) await plane.acknowledge(results);
      more = page.has_more;
    }
    onDone();
  };
  const follow = async () => {
    for await (const event of plane.events()) {
      if (event.type === 'pace') spread = event.spread_milliseconds;
      if (event.type === 'hello') await pull();
      if (event.type === 'revision' && event.revision > position.since)
        pulling ??= sleep(Math.random() * spread, undefined, { signal })
          .then(pull)
          .catch((error: unknown) => {
            if (!signal.aborted) console.error(error);
          })
          .finally(() => (pulling = undefined));
    }
  };
  while (!signal.aborted) {
    await follow().catch((error: unknown) => {
      if (!signal.aborted) console.error(error);
    });
    if (!signal.aborted) await sleep(Math.random() * 1000);
  }
}

/** So many connect at a time. */
const wave = 50;

export interface Acknowledged {
  /** From the answered save until all nodes have acknowledged. */
  milliseconds: number;
  /** Processor time of the server and of its database for each acknowledgement. */
  cpuMilliseconds: number;
}

/** Saves a site so many times, each once all nodes of its line group have the one before. */
export async function measureAcknowledgements(
  server: ServerProcess,
  { nodes, saves }: { nodes: number; saves: number },
): Promise<Acknowledged> {
  const group = await makeGroup(server, nodes);
  const ending = new AbortController();
  let done = 0;
  const all = new EventTarget();
  const onDone = () => {
    if (++done === nodes) all.dispatchEvent(new Event('done'));
  };
  const planes = group.nodes.map(
    ({ app_id: appId, app_secret: appSecret }) =>
      new ControlPlane({ url: server.userUrl, appId, appSecret }, ending.signal),
  );
  const running: Promise<void>[] = [];
  for (let start = 0; start < nodes; start += wave) {
    const next = planes.slice(start, start + wave);
    running.push(...next.map((plane) => runAgent(plane, ending.signal, onDone)));
    while (done < start + next.length) await sleep(20);
  }
  // By now every agent has been told how many they are.
  await sleep(16_000);
  const measured: Acknowledged[] = [];
  for (let turn = 0; turn <= saves; turn++) {
    const one = await measureSave(server, group.siteId, turn, () => {
      done = 0;
      return once(all, 'done');
    });
    console.log(
      `${nodes} nodes: all have it after ${one.milliseconds.toFixed(0)} ms, ${(one.cpuMilliseconds / nodes).toFixed(2)} ms of processor each`,
    );
    // The first one opens sessions and compiles.
    if (turn > 0) measured.push({ ...one, cpuMilliseconds: one.cpuMilliseconds / nodes });
  }
  ending.abort();
  await Promise.all(running);
  return {
    milliseconds: median(measured.map(({ milliseconds }) => milliseconds)),
    cpuMilliseconds: median(measured.map(({ cpuMilliseconds }) => cpuMilliseconds)),
  };
}

async function measureSave(
  server: ServerProcess,
  siteId: number,
  turn: number,
  whenAll: () => Promise<unknown>,
): Promise<Acknowledged> {
  const { admin } = server;
  const query = { site_id: siteId };
  const { version, value } = await admin.get('getOriginServerConfig', { query });
  const cpu = async () => (await server.measure()).cpuMilliseconds + (await server.databaseCpu());
  const before = await cpu();
  const acknowledged = whenAll();
  const { task_id: taskId } = await admin.get('updateOriginServerConfig', {
    query,
    body: { version, value: { ...value, host: `turn${turn}.example.com` } },
  });
  const saved = performance.now();
  await acknowledged;
  const milliseconds = performance.now() - saved;
  const cpuMilliseconds = (await cpu()) - before;
  const task = await admin.get('getTask', { params: { id: taskId! } });
  if (task.status !== 'done') throw new Error(`the task is ${task.status}`);
  return { milliseconds, cpuMilliseconds };
}
