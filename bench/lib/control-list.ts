import { median } from './result.ts';
import type { ServerProcess } from './server-process.ts';

const saves = 5;

/** Ranges of IPv6 addresses as long as they can be written: what fills the body of a call. */
function worstList(turn: number): string {
  const lines: string[] = [];
  const group = (value: number) => value.toString(16).padStart(4, '0');
  for (let index = 0; index < 100_000; index++) {
    const network = `2001:0db8:${group(turn)}:${group(index >> 8)}:${group((index & 255) << 8)}`;
    lines.push(`${network}:0000:0000:0000-${network}:ffff:ffff:fffe`);
  }
  return lines.join('\n');
}

/** The longest pause of the server's event loop while the worst list there is is saved, which a site uses. */
export async function measureListPause(server: ServerProcess): Promise<number> {
  const { admin } = server;
  const { id } = await admin.get('createAddressList', { body: { name: 'worst', content: '192.0.2.1' } });
  const { id: siteId } = await admin.get('createSite', {
    body: { domains: ['list.example.com'], origin: '127.0.0.1', origin_port: 9 },
  });
  await admin.get('updateAccessControl', {
    query: { site_id: siteId },
    body: { version: 1, value: { rules: [{ action: 'deny', address_lists: [id] }] } },
  });
  const pauses: number[] = [];
  for (let turn = 0; turn < saves; turn++) {
    const body = { name: 'worst', content: worstList(turn), version: turn + 1 };
    await server.measure();
    const started = performance.now();
    await admin.get('updateAddressList', { params: { id }, body });
    const { pauseMilliseconds } = await server.measure();
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `worst list saved in ${seconds.toFixed(2)} s, longest pause ${pauseMilliseconds.toFixed(1)} ms`,
    );
    pauses.push(pauseMilliseconds);
  }
  return median(pauses);
}
