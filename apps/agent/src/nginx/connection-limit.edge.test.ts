import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { linkedNamespaces, type NetworkNamespace } from '@breakwater/test-world/network-namespace';
import pino from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test-edge.ts';
import { ConnectionLimit } from './connection-limit.ts';

/** Real nftables and real connections that ask for nothing, between two network namespaces. */

const node = { v4: '198.51.100.1', v6: '2001:db8:1::1' };
const crowd = '198.51.100.7';
const other = '198.51.100.8';
/** Of one /64, and of another. */
const [near6, also6, far6] = ['2001:db8:1::7', '2001:db8:1::8', '2001:db8:1:1::7'];
const max = 3;
const [sitePort, otherPort] = [443, 2222];

let here: NetworkNamespace;
let there: NetworkNamespace;
/** Opens a connection from an address to a port: `open`, or the error. */
let open: (from: string, port?: number) => Promise<string>;
/** Ends the oldest of an address. */
let end: (from: string) => Promise<string>;
const programs: { kill: () => void }[] = [];

beforeAll(async () => {
  const addresses = [crowd, other].map((address) => `${address}/24`);
  const sixes = [near6, also6, far6].map((address) => `${address}/32`);
  ({ near: here, far: there } = await linkedNamespaces(
    [`${node.v4}/24`, `${node.v6}/32`],
    [...addresses, ...sixes],
  ));
  const serving = run(
    here,
    `const { createServer } = require('node:net');
     let ready = 0;
     for (const port of [${sitePort}, ${otherPort}])
       createServer((socket) => socket.resume().on('error', () => {})).listen(port, '::', () => ++ready === 2 && console.log('up'));`,
  );
  await once(serving.stdout, 'data');
  const visiting = run(there, visitor);
  const answers = createInterface({ input: visiting.stdout })[Symbol.asyncIterator]();
  const ask = async (...words: (string | number)[]) => {
    visiting.stdin.write(`${words.join(' ')}\n`);
    return (await answers.next()).value as string;
  };
  open = (from, port = sitePort) => ask('open', from, from.includes(':') ? node.v6 : node.v4, port);
  end = (from) => ask('end', from);
});
afterAll(async () => {
  for (const program of programs) program.kill();
  await there.close();
  await here.close();
});

const visitor = `
  const { connect } = require('node:net');
  const open = new Map();
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const [what, from, host, port] = line.split(' ');
    const ones = open.get(from) ?? [];
    open.set(from, ones);
    if (what === 'end') ones.shift().on('close', () => console.log('ended')).end();
    else {
      const socket = connect({ host, port: Number(port), localAddress: from });
      socket.on('connect', () => console.log('open')).on('error', ({ code }) => console.log(code)).resume();
      ones.push(socket);
    }
  });`;

function run({ command }: NetworkNamespace, program: string) {
  const [name, ...leading] = command;
  const child = spawn(name!, [...leading, process.execPath, '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  programs.push({ kill: () => void child.kill('SIGKILL') });
  return child;
}

const refused = 'ECONNREFUSED';

async function limitOf(most: number | undefined, path?: string) {
  const given = path ?? join(await temporaryFolder(), 'connection-limit');
  const limit = new ConnectionLimit({
    max: most,
    path: given,
    ports: () => [sitePort, 80, sitePort],
    logger: pino({ level: 'silent' }),
    command: [...here.command, 'nft'],
  });
  onTestFinished(async () => void (await here.nft('flush', 'ruleset')));
  return { limit, path: given };
}

/** As many as may be, and one more. */
const fill = async (from: string, most = max) => {
  const said: string[] = [];
  for (let one = 0; one <= most; one++) said.push(await open(from));
  return said;
};
const full = [...Array.from({ length: max }, () => 'open'), refused];

it('lets an address have so many to ports of sites, and another when one has ended', async () => {
  const { limit } = await limitOf(max);
  await limit.keep([]);
  expect(await fill(crowd)).toEqual(full);
  expect(await open(other)).toBe('open');
  expect(await open(crowd, otherPort)).toBe('open');
  await end(crowd);
  await expect.poll(() => open(crowd)).toBe('open');
});

it('counts a /64 of IPv6 as one', async () => {
  const { limit } = await limitOf(max);
  await limit.keep([]);
  expect(await fill(near6)).toEqual(full);
  expect(await open(also6)).toBe(refused);
  expect(await open(far6)).toBe('open');
});

it('is not for whom no ban is for, and forgets nobody as that changes or the agent comes again', async () => {
  const { limit, path } = await limitOf(max);
  await limit.keep([other, '192.0.2.0/24', '2001:db8:2::/48']);
  expect(await fill(crowd)).toEqual(full);
  expect(await fill(other)).toEqual([...full.slice(0, max), 'open']);
  await limit.keep([near6]);
  expect(await fill(near6)).toEqual([...full.slice(0, max), 'open']);
  expect(await open(crowd)).toBe(refused);
  const again = await limitOf(max, path);
  await again.limit.keep([]);
  expect(await open(crowd)).toBe(refused);
});

it('is gone when the agent comes without one, and a table of its own', async () => {
  const { limit, path } = await limitOf(max);
  await here.nft('add table inet somebody');
  await limit.keep([]);
  const { limit: none } = await limitOf(undefined, path);
  await none.keep([]);
  expect((await here.nft('list', 'ruleset')).trim()).toBe('table inet somebody {\n}');
  expect(await fill(crowd)).toEqual([...full.slice(0, max), 'open']);
});
