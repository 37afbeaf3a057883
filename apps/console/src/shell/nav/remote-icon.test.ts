import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchIcon } from './remote-icon.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function host(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const withIcon: RequestListener = (_, response) =>
  response.end(JSON.stringify({ width: 24, height: 24, icons: { star: { body: '<path d="M0 0"/>' } } }));
const without: RequestListener = (_, response) => response.end(JSON.stringify({ icons: {} }));
const silent: RequestListener = () => undefined;
const { signal } = new AbortController();

describe('an icon that is not bundled', () => {
  it('comes from the first host that has it, as a picture that stands alone', async () => {
    const hosts = [await host(without), await host(withIcon)];
    const started = Date.now();
    expect(decodeURIComponent((await fetchIcon('set:star', signal, hosts))!)).toContain(
      'viewBox="0 0 24 24"><path d="M0 0"/>',
    );
    expect(Date.now() - started).toBeLessThan(700);
  });

  it('is asked of the next host after 750 ms of silence', async () => {
    const started = Date.now();
    expect(await fetchIcon('set:star', signal, [await host(silent), await host(withIcon)])).not.toBeNull();
    expect(Date.now() - started).toBeGreaterThanOrEqual(740);
  });

  it('is none where nobody has it, nobody answers in 5 s, or it has no proper name', async () => {
    expect(await fetchIcon('set:star', signal, [await host(without)])).toBeNull();
    const started = Date.now();
    expect(await fetchIcon('set:star', signal, [await host(silent)])).toBeNull();
    expect(Date.now() - started).toBeGreaterThanOrEqual(4950);
    expect(Date.now() - started).toBeLessThan(6000);
    let asked = 0;
    const counting = await host((request, response) => {
      asked += 1;
      withIcon(request, response);
    });
    for (const name of ['star', '../set:star', 'set:star&x=1', `set:${'s'.repeat(500)}`])
      expect(await fetchIcon(name, signal, [counting])).toBeNull();
    expect(asked).toBe(0);
    // `${host}/set.json?icons=` and a name, of 500 characters in all and of one more.
    const room = 500 - `${counting}/set.json?icons=`.length;
    await fetchIcon(`set:${'s'.repeat(room)}`, signal, [counting]);
    expect(asked).toBe(1);
    await fetchIcon(`set:${'s'.repeat(room + 1)}`, signal, [counting]);
    expect(asked).toBe(1);
  });
});
