import { makeSelfSigned } from '@breakwater/edge/process/default-certificate';
import { makeEnvelope, makeSite, TestEdge } from '../../packages/edge/test/support.ts';
import { runHandshakes } from './handshakes.ts';
import { median } from './result.ts';
import { workerCpuMicros } from './worker-cpu.ts';

const host = 'ja4.test';

export interface Ja4Figures {
  /** Handshakes in a second of the worker's processor time: at a node that works out JA4, to one that does not. */
  ratio: number;
  withoutCpuMicros: number;
  withCpuMicros: number;
}

/** Full TLS handshakes at two nodes with one site, of which one logs the fingerprints of TLS clients; turn by turn, medians. */
export async function benchJa4(rounds: number, seconds: number): Promise<Ja4Figures> {
  const nodes = { without: await TestEdge.start(), with: await TestEdge.start() };
  const micros = { without: [] as number[], with: [] as number[] };
  const run = async (side: keyof typeof nodes, length: number) => {
    const { httpsPort, edge } = nodes[side];
    const before = await workerCpuMicros(edge.pid);
    const count = await runHandshakes(httpsPort, [host], length);
    return ((await workerCpuMicros(edge.pid)) - before) / count;
  };
  try {
    const { certificate, key } = makeSelfSigned(host);
    const pair = { certificate_id: 1, domains: [host], certificate, private_key: key };
    for (const side of ['without', 'with'] as const) {
      const node = nodes[side];
      await node.control('POST', '/documents', [makeEnvelope('certificate', '1', node.nextRevision(), pair)]);
      const origins = [{ address: '127.0.0.1' }];
      const advanced = { access_log: { ja4: side === 'with' } };
      await node.applySites(makeSite({ id: 1, domains: [host], origins, advanced, certificateIds: [1] }));
      await run(side, 1);
    }
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const))
        micros[side].push(await run(side, seconds));
    return {
      ratio: median(micros.without.map((each, round) => each / micros.with[round]!)),
      withoutCpuMicros: median(micros.without),
      withCpuMicros: median(micros.with),
    };
  } finally {
    await nodes.without.close();
    await nodes.with.close();
  }
}
