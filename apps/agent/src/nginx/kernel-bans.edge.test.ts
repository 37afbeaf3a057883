import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packAddresses } from '@breakwater/policy/address/address-set';
import { networkNamespace, type NetworkNamespace } from '@breakwater/test-world/network-namespace';
import { waitFor } from '@breakwater/test-world/wait';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test-edge.ts';
import { KernelBans, type KernelBansOptions } from './kernel-bans.ts';

/** Real nftables and real packets, in a network namespace of its own. */

const run = promisify(execFile);
const target = { v4: '198.51.100.1', v6: '2001:db8::1' };
const sources = ['203.0.113.7', '203.0.113.8', '192.0.2.7', '2001:db8:5::7', '2001:db8:6::7'];
/** Nobody's ban, so that there is an end to wait for. */
const last = '198.51.100.2';
const [sitePort, otherPort] = [8080, 2222];

let space: NetworkNamespace;
beforeAll(async () => {
  space = await networkNamespace([target.v4, target.v6, ...sources, last]);
});
afterAll(() => space.close());

/** Which of the sources reach sites, by both TCP and UDP; all reach other ports. */
async function reaching(): Promise<string[]> {
  const program = fileURLToPath(new URL('../test-packets.ts', import.meta.url));
  const given = [String(sitePort), String(otherPort), target.v4, target.v6, ...sources, last];
  const [command, ...leading] = space.command;
  const { stdout } = await run(command!, [...leading, process.execPath, program, ...given]);
  const arrived = JSON.parse(stdout) as string[];
  const of = (what: string) => sources.filter((source) => arrived.includes(`${what} ${source}`));
  expect(of('other')).toEqual(sources);
  expect(of('udp')).toEqual(of('tcp'));
  return of('tcp');
}
const missing = async () => {
  const there = await reaching();
  return sources.filter((source) => !there.includes(source));
};

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const segment = (addresses: readonly string[], seconds = 600) =>
  JSON.stringify({
    segment_id: 1,
    bans: addresses.map((address, id) => ({ id: id + 1, address, until: inSeconds(seconds), kernel: true })),
  });

/** As documents carry addresses. */
function packed(addresses: string[]) {
  const { v4, v6 } = packAddresses(addresses);
  const base64 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');
  return { v4: base64(v4), v6: base64(v6) };
}
const listOf = (addresses: string[]) => JSON.stringify({ list_id: 7, ...packed(addresses) });

async function start(changes: Partial<KernelBansOptions> = {}) {
  const path = changes.path ?? join(await temporaryFolder(), 'kernel-bans.json');
  const bans = new KernelBans({
    path,
    ports: () => [sitePort, 443],
    ours: () => ['127.0.0.1', '::1', 'fe80::1'],
    robots: () => [],
    listBody: async () => undefined,
    logger: pino({ level: 'silent' }),
    command: [...space.command, 'nft'],
    ...changes,
  });
  const ending = new AbortController();
  const running = bans.run(ending.signal);
  const stop = async () => {
    ending.abort();
    await running;
  };
  onTestFinished(async () => {
    await stop();
    await space.nft('flush', 'ruleset');
  });
  return { bans, path, stop };
}
const areMissing = (expected: readonly string[]) => async () => String(await missing()) === String(expected);

describe('bans in the kernel', () => {
  it('drop the packets of addresses and networks of both families to ports of sites, until they are released', async () => {
    const { bans } = await start();
    expect(await missing()).toEqual([]);
    bans.track('ban/1', segment(['203.0.113.7', '192.0.2.0/24', '2001:db8:5::/64', '2001:db8:6::7']));
    await waitFor('the bans', areMissing(['203.0.113.7', '192.0.2.7', '2001:db8:5::7', '2001:db8:6::7']));
    expect(bans.state).toBe('on');
    // An address in a network that is there too, and one twice: nft refuses what overlaps.
    bans.track(
      'ban/2',
      segment(['192.0.2.7', '203.0.113.8', '203.0.113.7', '192.0.0.0/16', '2001:db8::/32']),
    );
    bans.track('ban/1', segment(['203.0.113.7']));
    await waitFor('the others', areMissing(sources));
    bans.track('ban/2', undefined);
    await waitFor('the release', areMissing(['203.0.113.7']));
    bans.track('ban/1', segment([]));
    await waitFor('the last release', areMissing([]));
    await waitFor('no table', async () => (await space.nft('list', 'ruleset')) === '');
    expect(bans.state).toBe('off');
  });

  it('end by themselves, without the agent', async () => {
    const { bans, stop } = await start();
    bans.track('ban/1', segment(['203.0.113.7'], 4));
    bans.track('ban/2', segment(['203.0.113.8'], 31_536_000));
    await waitFor('the bans', areMissing(['203.0.113.7', '203.0.113.8']));
    await stop();
    await waitFor('the end of one', areMissing(['203.0.113.8']), 15);
  });

  it('are for nobody who is never banned', async () => {
    const { bans } = await start({ robots: () => ['2001:db8:6::7'], ours: () => ['203.0.113.8'] });
    const setting = (robots: boolean, isNever: boolean) =>
      JSON.stringify({
        never: isNever ? [packed(['192.0.2.7', '192.0.2.200/29'])] : [],
        never_robots: robots,
        never_private: true,
        objection: '',
      });
    const proxy = JSON.stringify({ real_ip: { trusted: ['2001:db8:5::/48'] } });
    bans.track('ban_setting/platform', setting(true, true));
    bans.track('site/1', proxy);
    bans.track('ban/1', segment(['203.0.113.0/24', '192.0.2.0/24', '2001:db8::/32']));
    await waitFor('those who can be', areMissing(['203.0.113.7']));
    bans.track('ban_setting/platform', setting(false, false));
    bans.track('site/1', undefined);
    await waitFor('all but the own', areMissing(sources.filter((each) => each !== '203.0.113.8')));
  });

  it('are for no proxy that a site trusts by an address list, as that changes', async () => {
    let listed = ['192.0.2.0/25', '2001:db8:6::/48'];
    const { bans } = await start({ listBody: async (id) => (id === 7 ? listOf(listed) : undefined) });
    const network = sources.filter((each) => each !== '203.0.113.8');
    bans.track('ban/1', segment(['203.0.113.7', '192.0.2.0/24', '2001:db8::/32']));
    await waitFor('all', areMissing(network));
    bans.track(
      'site/1',
      JSON.stringify({ real_ip: { mode: 'cdn', preset: 'gcore', address_lists: [7, 8] } }),
    );
    await waitFor('those who are on no list', areMissing(['203.0.113.7', '2001:db8:5::7']));
    listed = ['203.0.113.0/24'];
    bans.track('address_list/8', listOf(listed));
    bans.track('address_list/7', listOf(listed));
    await waitFor(
      'those who are on it no more',
      areMissing(network.filter((each) => each !== '203.0.113.7')),
    );
    bans.track('site/1', JSON.stringify({ domains: ['example.com'] }));
    await waitFor('all once more', areMissing(network));
  });

  it('are for all the same where a site trusts everybody', async () => {
    const { bans } = await start({ listBody: async () => listOf(['0.0.0.0/0', '::/0']) });
    const trusted = ['0.0.0.0/0', '::/0', '2001:db8:5::/48'];
    bans.track('level/global', JSON.stringify({ real_ip: { mode: 'xff', trusted, address_lists: [1] } }));
    bans.track('ban/1', segment(['203.0.113.7', '2001:db8::/32']));
    await waitFor('all but one', areMissing(['203.0.113.7', '2001:db8:6::7']));
  });

  it('are ten thousand in one go', async () => {
    const { bans } = await start();
    const many = Array.from({ length: 10_000 }, (_, place) => `100.${place >> 8}.${place & 255}.9`);
    bans.track('ban/1', segment([...many, '203.0.113.7']));
    await waitFor('the last of them', areMissing(['203.0.113.7']));
    const { stdout } = { stdout: await space.nft('-j', 'list', 'set', 'inet', 'breakwater_bans', 'banned4') };
    const listed = JSON.parse(stdout) as { nftables: { set?: { elem: unknown[] } }[] };
    expect(listed.nftables.find(({ set }) => set)!.set!.elem).toHaveLength(10_001);
  });

  it('are corrected by the agent that comes next, and when somebody else has emptied the rules', async () => {
    const { bans, path, stop } = await start();
    bans.track('ban/1', segment(['203.0.113.7', '203.0.113.8']));
    await waitFor('the bans', areMissing(['203.0.113.7', '203.0.113.8']));
    await stop();
    await space.nft('add', 'element', 'inet', 'breakwater_bans', 'banned4', '{ 192.0.2.7 }');
    const next = await start({ path });
    next.bans.track('ban/1', segment(['203.0.113.8']));
    await waitFor('the correction', areMissing(['203.0.113.8']));
    await next.stop();
    // Nothing stands any more: the table of before goes.
    await start({ path });
    await waitFor('no table', async () => (await space.nft('list', 'ruleset')) === '');
  });

  it('are said to be out of reach by an agent without the right, without nft, or of an nft that fails', async () => {
    const states = async (command: readonly string[]) => {
      const { bans } = await start({ command });
      bans.track('ban/1', segment(['203.0.113.7']));
      await waitFor('a state', async () => bans.state !== 'off');
      return bans.state;
    };
    const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--', '/usr/sbin/nft'];
    expect(await states([...space.command, ...nobody])).toBe('no_right');
    expect(await states(['/nowhere/nft'])).toBe('no_nft');
    expect(await states(['false'])).toBe('failed');
    expect(await missing()).toEqual([]);
  });
});
