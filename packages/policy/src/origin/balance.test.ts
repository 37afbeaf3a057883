import { origin, originServerConfig } from '@breakwater/contract/site-config/origin-server-config';
import { describe, expect, it } from 'vitest';
import { choosePeer, hashText, makePeer, type Choice } from './balance.ts';
import { completeOriginConfig } from './origin.ts';

const keys = Array.from(
  { length: 20_000 },
  (_, number) => `www.example.com/asset-${number}.js?v=${number % 7}`,
);

/** Which address each key goes to. */
function spread(
  method: Choice['method'],
  servers: { address: string; weight?: number }[],
  out: number[] = [],
) {
  const peers = servers.map((server) => makePeer(origin.parse(server), server.address));
  const credits = peers.map(() => 0);
  const down = peers.map((_, index) => out.includes(index));
  return keys.map((key) => {
    const choice: Choice = { method, random: 0, hash: hashText(key), credits };
    return servers[
      choosePeer(
        peers,
        peers.map(() => false),
        down,
        choice,
      )!
    ]!.address;
  });
}

function shares(places: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const place of places) counts[place] = (counts[place] ?? 0) + 1 / places.length;
  return counts;
}

const servers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ address: `10.0.0.${index + 1}` }));

describe('consistent', () => {
  it.each([1, 2, 3, 5, 10, 20])('moves only the new share when %i origins become one more', (count) => {
    const before = spread('consistent', servers(count));
    const after = spread('consistent', servers(count + 1));
    const added = `10.0.0.${count + 1}`;
    const moved = keys.map((_, index) => index).filter((index) => before[index] !== after[index]);
    expect(moved.every((index) => after[index] === added)).toBe(true);
    expect(moved.length / keys.length).toBeCloseTo(1 / (count + 1), 1);
  });

  it('moves only what the one that goes had, and gives it to all others', () => {
    const before = spread('consistent', servers(5));
    const after = spread('consistent', servers(5), [2]);
    const moved = keys.map((_, index) => index).filter((index) => before[index] !== after[index]);
    expect(moved.every((index) => before[index] === '10.0.0.3')).toBe(true);
    expect(Object.keys(shares(moved.map((index) => after[index]!)))).toHaveLength(4);
  });

  it('keeps to weights', () => {
    const counts = shares(
      spread('consistent', [
        { address: '10.0.0.1', weight: 10 },
        { address: '10.0.0.2', weight: 20 },
        { address: '10.0.0.3', weight: 70 },
      ]),
    );
    expect(counts['10.0.0.1']).toBeCloseTo(0.1, 1);
    expect(counts['10.0.0.2']).toBeCloseTo(0.2, 1);
    expect(counts['10.0.0.3']).toBeCloseTo(0.7, 1);
  });
});

it.each(['url_hash', 'ip_hash', 'round_robin'] as const)('%s keeps to weights', (method) => {
  const counts = shares(
    spread(method, [
      { address: '10.0.0.1', weight: 25 },
      { address: '10.0.0.2', weight: 75 },
    ]),
  );
  expect(counts['10.0.0.1']).toBeCloseTo(0.25, 1);
});

it('completes what is absent in a document with the defaults of the contract', () => {
  const { origins, protocol, connect_timeout_seconds, send_timeout_seconds, read_timeout_seconds, tries } =
    originServerConfig.parse({ origins: [{ address: '10.0.0.1' }] });
  const { max_conns: _, ...old } = origins[0]!;
  const document = {
    protocol,
    connect_timeout_seconds,
    send_timeout_seconds,
    read_timeout_seconds,
    tries,
    origins: [old],
  };
  expect(completeOriginConfig(document)).toEqual(
    originServerConfig.parse({ origins: [{ address: '10.0.0.1' }] }),
  );
});
