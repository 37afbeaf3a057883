import type { AddressMinute } from '@breakwater/contract';
import { expect, test } from 'vitest';
import { minutePoints } from './flood-series.ts';

const packets = { syn: 0, tcp: 0, reflected: 0, udp: 0, icmp: 0, other: 0 };
const minute = (time: string, bits: number): AddressMinute => ({
  time: `2026-11-27T10:${time}:00.000Z`,
  bits,
  packets,
});

test('minutes of which a node told nothing are a gap, and no line', () => {
  const points = minutePoints([minute('00', 1), minute('01', 2), minute('05', 3)], ({ bits }) => bits);
  expect(points.map(({ time, value }) => [time.slice(14, 16), value])).toEqual([
    ['00', 1],
    ['01', 2],
    ['02', null],
    ['05', 3],
  ]);
  expect(minutePoints([], ({ bits }) => bits)).toEqual([]);
});
