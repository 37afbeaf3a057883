import { createSocket } from 'node:dgram';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttp } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { logShippingOrder, type LogShippingOrder } from '@breakwater/contract';
import { Authority } from '@breakwater/test-world/authority';
import { waitFor } from '@breakwater/test-world/wait';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LogFiles } from './log-files.ts';
import { LogOutput } from './log-output.ts';
import { readLines } from './ship.ts';
import { temporaryFolder } from '../test-edge.ts';

const logger = pino({ level: 'silent' });
const lineOf = (path: string, site = 1) =>
  `{"time":"2026-03-01T00:30:00.123Z","request_id":"x","site_id":${site},"request_uri":"${path}"}`;
let versions = 0;
function orderOf(changes: Partial<LogShippingOrder>): LogShippingOrder {
  versions += 1;
  return { ...logShippingOrder.parse({ version: String(versions) }), ...changes };
}

/** A log that only the output reads: the control plane has it all at once. */
async function startOutput(order: LogShippingOrder, folder?: string) {
  const home = folder ?? (await temporaryFolder());
  const accessLogPath = join(home, 'access.log');
  let looks = 0;
  if (!folder) await writeFile(accessLogPath, `${lineOf('/before')}\n`);
  const output: LogOutput = new LogOutput({
    accessLogPath,
    folder: join(home, 'log-output'),
    files: () => {
      looks += 1;
      return files.list();
    },
    linesOf: async (file, position) => {
      const lines = await readLines(file.path, position, file.inode);
      return { lines, bytes: lines.length };
    },
    logger,
    pauseMilliseconds: 20,
  });
  const files: LogFiles = new LogFiles({
    accessLogPath,
    reopenLogs: async () => writeFile(accessLogPath, ''),
    logger,
    rotateBytes: 2000,
    graceMilliseconds: 0,
    isHeld: (file) => output.holds(file),
  });
  const lookAfter = async () => {
    await files.lookAfter();
    for (const file of await files.list()) files.setPosition(file, file.size);
  };
  await lookAfter();
  await output.load();
  output.order(order);
  const ending = new AbortController();
  const running = output.run(ending.signal);
  const stop = async () => {
    ending.abort();
    await running;
  };
  onTestFinished(stop);
  await waitFor('its position', () => readFile(join(home, 'output.json')).then(() => true));
  const append = (...paths: string[]) =>
    appendFile(accessLogPath, paths.map((path) => `${lineOf(path)}\n`).join(''));
  const rotated = async () => (await readdir(home)).filter((name) => /^access-.*\.log$/.test(name));
  /** Resolves when it has looked at the files several times since. */
  const looked = async () => {
    const before = looks;
    await waitFor('its looking', () => looks > before + 6);
  };
  return { output, append, lookAfter, looked, rotated, stop, home, accessLogPath };
}

/** Takes messages framed by their length. */
async function startSyslog(server: Server, port = 0) {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    let buffered = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      buffered = Buffer.concat([buffered, chunk as Buffer]);
      for (;;) {
        const space = buffered.indexOf(32);
        const length = Number(buffered.toString('latin1', 0, Math.max(space, 0)));
        if (space < 0 || buffered.length < space + 1 + length) return;
        messages.push(buffered.toString('utf8', space + 1, space + 1 + length));
        buffered = buffered.subarray(space + 1 + length);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const end = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => void (await end()));
  return { messages, end, port: (server.address() as AddressInfo).port };
}
const pathsOf = (messages: string[]) =>
  messages.map(
    (message) => (JSON.parse(message.slice(message.indexOf('{'))) as { request_uri: string }).request_uri,
  );
const toSyslog = (port: number, syslog_transport: 'udp' | 'tcp' | 'tls', more = {}) =>
  orderOf({ kind: 'syslog', syslog_host: '127.0.0.1', syslog_port: port, syslog_transport, ...more });

describe('a receiver of syslog', () => {
  it('gets each line from now on as a message of RFC 5424, over TCP', async () => {
    const { messages, port } = await startSyslog(createTcp());
    const { output, append } = await startOutput(toSyslog(port, 'tcp'));
    await append('/one', '/two');
    await waitFor('both', () => messages.length === 2);
    expect(messages[0]).toMatch(/^<134>1 2026-03-01T00:30:00\.123Z \S+ breakwater \d+ access - \{"time"/);
    expect(pathsOf(messages)).toEqual(['/one', '/two']);
    await waitFor('the end of waiting', () => output.state?.bytes_waiting === 0);
    expect(output.state).toMatchObject({ lines_sent: 2, bytes_dropped: 0, error: '' });
    expect(await output.test()).toBe('');
    await waitFor('the test', () => messages.length === 3);
  });

  it('gets a datagram a line over UDP', async () => {
    const socket = createSocket('udp4');
    onTestFinished(() => void socket.close());
    const messages: string[] = [];
    socket.on('message', (message) => messages.push(message.toString()));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const { append } = await startOutput(toSyslog(socket.address().port, 'udp'));
    await append('/one', '/two');
    await waitFor('both', () => messages.length === 2);
    expect(pathsOf(messages)).toEqual(['/one', '/two']);
  });

  it('is believed over TLS only with a certificate of the authority that is named', async () => {
    const authority = await Authority.make('receivers');
    onTestFinished(() => authority.close());
    const { certificate, key } = await authority.issue(['localhost']);
    const { messages, port } = await startSyslog(createTls({ cert: certificate, key }));
    const { output, append } = await startOutput(toSyslog(port, 'tls', { syslog_host: 'localhost' }));
    await append('/one');
    await waitFor('the refusal', () => /certificate/i.test(output.state?.error ?? ''));
    expect(messages).toEqual([]);
    output.order(toSyslog(port, 'tls', { syslog_host: 'localhost', syslog_ca: authority.certificate }));
    await waitFor('the line', () => messages.length === 1);
    expect(output.state?.error).toBe('');
  });

  it('gets every line when it was away, those that were under way perhaps twice', async () => {
    const first = await startSyslog(createTcp());
    const { output, append, lookAfter, rotated } = await startOutput(toSyslog(first.port, 'tcp'));
    await append('/1');
    await waitFor('the first', () => first.messages.length === 1);
    await first.end();
    for (let file = 0; file < 3; file += 1) {
      await append(...Array.from({ length: 30 }, (_, index) => `/away-${file}-${index}`));
      await lookAfter();
    }
    await waitFor('the fault', () => output.state?.error !== '');
    expect((await rotated()).length).toBeGreaterThanOrEqual(3);
    await waitFor('what waits', () => (output.state?.bytes_waiting ?? 0) > 6000);
    const second = await startSyslog(createTcp(), first.port);
    await waitFor(
      'all that waited',
      () => new Set(pathsOf(second.messages).filter((path) => path !== '/1')).size === 90,
    );
    await waitFor('the end of waiting', () => output.state?.bytes_waiting === 0);
    expect(output.state).toMatchObject({ bytes_dropped: 0, error: '' });
    await lookAfter();
    expect(await rotated()).toEqual([]);
  });
});

describe('an HTTP receiver', () => {
  async function startReceiver() {
    const got: { paths: string[]; authorization: string | undefined; bytes: number }[] = [];
    const how = { status: 200, silent: false, refused: undefined as string | undefined, refusals: 0 };
    const server = createHttp((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        if (how.silent) return;
        if (how.refused !== undefined && text.includes(how.refused)) {
          how.refusals += 1;
          response.writeHead(413).end();
          return;
        }
        if (how.status === 200)
          got.push({
            paths: pathsOf(text.trimEnd().split('\n')),
            authorization: request.headers.authorization,
            bytes: text.length,
          });
        response.writeHead(how.status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const http_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logs`;
    return { got, how, paths: () => got.flatMap(({ paths }) => paths), http_url };
  }

  it('gets JSON lines of the sites that are named, and again what it did not take', async () => {
    const { got, how, paths, http_url } = await startReceiver();
    how.status = 503;
    const order = orderOf({ kind: 'http', http_url, http_authorization: 'Bearer x', site_ids: [1] });
    const { output, append, accessLogPath } = await startOutput(order);
    await append('/one');
    await appendFile(accessLogPath, `${lineOf('/other', 2)}\n`);
    await waitFor('the refusal', () => output.state?.error === 'the receiver answered 503');
    how.status = 200;
    await append('/two');
    await waitFor('all', () => paths().length === 2);
    expect(paths()).toEqual(['/one', '/two']);
    expect(got[0]!.authorization).toBe('Bearer x');
  });

  it('loses the oldest lines beyond the limit, and those are counted', async () => {
    const { how, paths, http_url } = await startReceiver();
    how.status = 500;
    const { output, append, lookAfter } = await startOutput(
      orderOf({ kind: 'http', http_url, waiting_bytes_max: 6000 }),
    );
    for (let file = 0; file < 5; file += 1) {
      await append(...Array.from({ length: 25 }, (_, index) => `/${file}-${index}`));
      await lookAfter();
    }
    await waitFor(
      'the loss',
      () => (output.state?.bytes_dropped ?? 0) > 0 && output.state!.bytes_waiting <= 6000,
    );
    how.status = 200;
    await waitFor('the newest', () => paths().includes('/4-24'));
    expect(paths()).not.toContain('/0-0');
    const dropped = output.state!.bytes_dropped;
    const all = 125 - paths().length;
    expect(dropped / all).toBeCloseTo(lineOf('/0-10').length + 1, -1);
  });

  it('gets what it has taken once, whatever it refuses of what comes after', async () => {
    const { got, how, paths, http_url } = await startReceiver();
    how.refused = '"/2400"';
    const { output, append } = await startOutput(orderOf({ kind: 'http', http_url }));
    await append(...Array.from({ length: 2500 }, (_, index) => `/${index}`));
    await waitFor('three refusals', () => how.refusals >= 3);
    expect(output.state).toMatchObject({ error: 'the receiver answered 413', lines_sent: paths().length });
    how.refused = undefined;
    await waitFor('the rest', () => paths().includes('/2499'));
    expect(paths()).toEqual(Array.from({ length: 2500 }, (_, index) => `/${index}`));
    // Many receivers take no more than a megabyte.
    expect(got.every(({ bytes }) => bytes < 600_000)).toBe(true);
  });

  it('goes on after a restart where it was, without a line missing', async () => {
    const { how, paths, http_url } = await startReceiver();
    const first = await startOutput(orderOf({ kind: 'http', http_url }));
    await first.append('/one');
    await waitFor('the first', () => paths().length === 1);
    how.silent = true;
    await first.append('/two');
    await first.stop();
    how.silent = false;
    await first.append('/three');
    await startOutput(orderOf({ kind: 'http', http_url }), first.home);
    await waitFor('the rest', () => paths().includes('/three'));
    expect(new Set(paths())).toEqual(new Set(['/one', '/two', '/three']));
  });
});

describe('a file that was renamed', () => {
  const full = Array.from({ length: 30 }, (_, index) => `/${index}`);

  it('is read to the lines of a worker of nginx that was late to let go of it', async () => {
    const { messages, port } = await startSyslog(createTcp());
    const { append, lookAfter, looked, rotated, home } = await startOutput(toSyslog(port, 'tcp'));
    await append(...full);
    await waitFor('its lines', () => messages.length === 30);
    await lookAfter();
    await append('/next');
    await looked();
    await appendFile(join(home, (await rotated())[0]!), `${lineOf('/late')}\n`);
    await waitFor('both', () => messages.length === 32);
    expect(pathsOf(messages.slice(30))).toEqual(['/late', '/next']);
  });

  it('comes before the next also when the clock was set back in between', async () => {
    const { messages, port } = await startSyslog(createTcp());
    const home = await temporaryFolder();
    const accessLogPath = join(home, 'access.log');
    await writeFile(accessLogPath, '');
    // As it was named while the clock was a day ahead.
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().replace(/[-:.]/g, '');
    const name = `access-${tomorrow}-00000000.log`;
    const { ino } = await stat(accessLogPath);
    await writeFile(join(home, 'current.json'), JSON.stringify({ name, inode: ino, startedAt: Date.now() }));
    const { append, lookAfter, rotated } = await startOutput(toSyslog(port, 'tcp'), home);
    await append(...full);
    await waitFor('its lines', () => messages.length === 30);
    await lookAfter();
    await append('/next');
    await waitFor('the next', () => messages.length === 31);
    await append(...full);
    await lookAfter();
    await waitFor('all', () => messages.length === 61);
    await lookAfter();
    expect(await rotated()).toEqual([]);
  });
});

it('begins anew where its position cannot be read', async () => {
  const { messages, port } = await startSyslog(createTcp());
  const home = await temporaryFolder();
  await writeFile(join(home, 'access.log'), '');
  await writeFile(join(home, 'output.json'), '{"file":"acc');
  const { append, looked } = await startOutput(toSyslog(port, 'tcp'), home);
  await looked();
  await append('/one');
  await waitFor('the line', () => messages.length === 1);
});

it('writes files of a size, and keeps so many', async () => {
  const order = orderOf({ kind: 'file', file_rotate_bytes: 100, file_keep: 3 });
  const { append, home } = await startOutput(order);
  const folder = join(home, 'log-output');
  for (let number = 0; number < 6; number += 1) {
    await append(`/${number}`);
    await waitFor('the line', async () =>
      (await readFile(join(folder, 'access.log'), 'utf8').catch(() => '')).includes(`"/${number}"`),
    );
  }
  expect((await readdir(folder)).toSorted()).toEqual(['access.log', 'access.log.1', 'access.log.2']);
});

it('sends nothing of the time when it was off', async () => {
  const { messages, port } = await startSyslog(createTcp());
  const { output, append, home } = await startOutput(toSyslog(port, 'tcp'));
  await append('/one');
  await waitFor('the first', () => messages.length === 1);
  output.order(orderOf({ kind: 'off' }));
  expect(output.state).toBeUndefined();
  const position = () => readFile(join(home, 'output.json'), 'utf8');
  await waitFor('that it is forgotten', async () => (await position()) === '{}');
  await append('/off');
  output.order(toSyslog(port, 'tcp'));
  await waitFor('a new position', async () => (await position()) !== '{}');
  await append('/two');
  await waitFor('the next', () => messages.length === 2);
  expect(pathsOf(messages)).toEqual(['/one', '/two']);
});
