import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AddressTraffic } from '@breakwater/contract';
import { linkedNamespaces, type NetworkNamespace } from '@breakwater/test-world/network-namespace';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PacketCounter, type PacketCounterOptions } from './packet-counter.ts';

/** Real nftables and real packets, over a wire between two network namespaces. */

const run = promisify(execFile);
const [attacked, quiet, v6] = ['10.91.0.1', '10.91.0.2', '2001:db8:91::1'];
const sent = 40;

let near: NetworkNamespace;
let far: NetworkNamespace;
beforeAll(async () => {
  ({ near, far } = await linkedNamespaces(
    [`${attacked}/24`, `${quiet}/24`, `${v6}/64`],
    ['10.91.0.9/24', '2001:db8:91::9/64'],
  ));
});
afterAll(async () => {
  await near.close();
  await far.close();
});

const program = fileURLToPath(new URL('../test-flood.ts', import.meta.url));
async function flood(target: string, { from = far, count = sent, port = 80 } = {}) {
  const [command, ...leading] = from.command;
  await run(command!, [...leading, process.execPath, program, target, String(count), String(port)]);
}

function start(changes: Partial<PacketCounterOptions> = {}): PacketCounter {
  onTestFinished(async () => void (await near.nft('flush', 'ruleset')));
  return new PacketCounter({
    addresses: () => [attacked, quiet, v6],
    logger: pino({ level: 'silent' }),
    command: [...near.command, 'nft'],
    ...changes,
  });
}
/** How many of each kind came in the time that it took. */
async function countsOf(counter: PacketCounter, what: () => Promise<void>) {
  const begin = performance.now();
  await what();
  const told = await counter.read();
  const seconds = (performance.now() - begin) / 1000;
  const of = (address: string) => told!.find((each) => each.address === address)!;
  return { told: told!, of, seconds };
}
const shares = ({ packets }: AddressTraffic) =>
  Object.fromEntries(
    Object.entries(packets).map(([kind, rate]) => [kind, Math.round((rate / packets.udp) * sent)]),
  );

describe('packets by the address that they come to', () => {
  it('are told by kind, a second, the address with the most first', async () => {
    const counter = start();
    expect(await counter.read()).toBeUndefined();
    await counter.order(true);
    expect(await counter.read()).toBeUndefined();
    expect(counter.state).toBe('on');
    // Nothing listens there: each connection that is asked for is one packet.
    const first = await countsOf(counter, () => flood(attacked));
    expect(first.told[0]).toBe(first.of(attacked));
    expect(shares(first.of(attacked))).toEqual({
      syn: sent,
      tcp: 0,
      reflected: sent,
      udp: sent,
      icmp: 0,
      other: 0,
    });
    expect(Object.values(first.of(quiet).packets).every((rate) => rate === 0)).toBe(true);
    // The time is that between the two readings: about what was waited for.
    expect(first.of(attacked).packets.udp * first.seconds).toBeGreaterThan(sent / 4);
    expect(first.of(attacked).packets.udp * first.seconds).toBeLessThan(sent * 4);
    // Of each UDP packet 29 bytes, of each SYN 60.
    const { bytes, packets } = first.of(attacked);
    expect(bytes).toBeCloseTo(29 * (packets.udp + packets.reflected) + 60 * packets.syn, 3);
    const second = await countsOf(counter, () => flood(v6));
    expect(second.told[0]!.address).toBe(v6);
    expect(shares(second.of(v6))).toMatchObject({ syn: sent, reflected: sent, udp: sent });
    expect(second.of(attacked).packets.udp).toBe(0);
    // Where nobody listens answers what is sent there: ICMP says so of UDP, and a TCP segment without SYN alone of TCP.
    const third = await countsOf(counter, () => flood('10.91.0.9', { from: near, count: 1 }));
    const { packets: answers } = third.of(attacked);
    expect(answers).toMatchObject({ syn: 0, reflected: 0, udp: 0, other: 0 });
    expect([answers.icmp > 0, answers.tcp > 0]).toEqual([true, true]);
  });

  it('are counted also where bans drop them, and not counted any more when nobody wants it', async () => {
    const counter = start();
    await near.nft(
      'add table inet bans; add chain inet bans input { type filter hook input priority -150; }; add rule inet bans input meta l4proto udp drop',
    );
    await counter.order(true);
    await counter.read();
    const { of } = await countsOf(counter, () => flood(attacked));
    expect(of(attacked).packets.udp).toBeGreaterThan(0);
    await counter.order(false);
    expect(await counter.read()).toBeUndefined();
    expect(counter.state).toBe('off');
    expect(await near.nft('list', 'tables')).not.toContain('breakwater_traffic');
  });

  it('go on when somebody empties the rules, when addresses come, and after another agent of the machine', async () => {
    let addresses: string[] = [attacked];
    const counter = start({ addresses: () => addresses });
    await counter.order(true);
    await counter.read();
    await near.nft('flush', 'ruleset');
    expect(await counter.read()).toBeUndefined();
    expect((await counter.read())!.map(({ address }) => address)).toEqual([attacked]);
    addresses = [attacked, v6];
    expect(await counter.read()).toBeUndefined();
    await flood(attacked);
    expect((await counter.read())!.map(({ address }) => address).toSorted()).toEqual(
      [attacked, v6].toSorted(),
    );
    const other = start({ addresses: () => addresses });
    await other.order(true);
    await other.read();
    // Its counts are from nothing again: that is no negative flood.
    expect(await counter.read()).toBeUndefined();
    expect(await counter.read()).toHaveLength(2);
    // One that comes after it was killed takes the table away where it is not wanted.
    await start().order(false);
    expect(await near.nft('list', 'tables')).toBe('');
  });

  it('are said to be out of reach by an agent without the right, without nft, or of an nft that fails', async () => {
    const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--', '/usr/sbin/nft'];
    const stateOf = async (command: readonly string[]) => {
      const counter = start({ command });
      await counter.order(true);
      expect(await counter.read()).toBeUndefined();
      return counter.state;
    };
    expect(await stateOf([...near.command, ...nobody])).toBe('no_right');
    expect(await stateOf(['/nowhere/nft'])).toBe('no_nft');
    expect(await stateOf(['false'])).toBe('failed');
    // One that lists no JSON, and one that lists something else.
    expect(await stateOf(['true'])).toBe('failed');
    expect(await stateOf(['sh', '-c', 'echo "{}"', '--'])).toBe('failed');
  });
});
