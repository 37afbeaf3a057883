import { nodeState } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { Backoff } from '../backoff.ts';
import { cpuShare, MachineMeter, memoryUsed, networkRates, parseCpuTimes, parseNetwork } from './report.ts';
import { Wake } from '../delivery/wake.ts';

describe('the machine', () => {
  it('counts processor time as proc_stat(5) says', () => {
    const before = parseCpuTimes('cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1 2 3\n');
    expect(before).toEqual({ busy: 150, total: 1000 });
    expect(cpuShare(before, parseCpuTimes('cpu  150 0 75 900 75 0 0 0 0 0\n'))).toBeCloseTo(0.375);
    expect(cpuShare(before, before)).toBe(0);
  });

  it('counts memory in use as what is not available', () => {
    expect(memoryUsed('MemTotal: 1000 kB\nMemAvailable:     400 kB\n', 1000 * 1024)).toBe(600 * 1024);
    expect(memoryUsed('', 1000)).toBe(0);
  });

  it('counts the bytes of interfaces as proc_net(5) says, without the one to itself', () => {
    const text = [
      'Inter-|   Receive                                                |  Transmit',
      ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop',
      '    lo: 9999      10    0    0    0     0          0         0     9999      10    0    0',
      '  eth0: 5000      50    0    0    0     0          0         0     7000      70    0    0',
      'wan0.7:30 1 0 0 0 0 0 0 40 1 0 0',
    ].join('\n');
    expect(parseNetwork(text)).toEqual([
      { name: 'eth0', received: 5000, sent: 7000 },
      { name: 'wan0.7', received: 30, sent: 40 },
    ]);
  });

  it('has traffic between two readings, and none below zero', () => {
    const first = { at: 1000, received: 5000, sent: 7000 };
    expect(networkRates(undefined, first)).toEqual({ network_in: 0, network_out: 0 });
    expect(networkRates(first, { at: 3000, received: 9000, sent: 100 })).toEqual({
      network_in: 2000,
      network_out: 0,
    });
  });

  it('is read in the form that the contract takes', async () => {
    const state = await new MachineMeter('/').read();
    expect(state.disk_total).toBeGreaterThan(state.disk_used);
    expect(state.memory_used).toBeGreaterThan(0);
    expect(state.processors).toBeGreaterThan(0);
    expect(state.load).toBeGreaterThanOrEqual(0);
    const rest = { version: '1', nginx_running: false, uptime_seconds: 1 };
    expect(nodeState.safeParse({ ...rest, ...state }).success).toBe(true);
  });
});

describe('back-off', () => {
  it('doubles from 0.2 to 10 seconds, shortened at random', () => {
    const backoff = new Backoff();
    const full = Array.from({ length: 8 }, () => backoff.nextMilliseconds(() => 1));
    expect(full).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
    backoff.reset();
    expect(backoff.nextMilliseconds(() => 0)).toBe(100);
  });
});

describe('wake', () => {
  it('keeps a call that comes before the wait, once', async () => {
    const wake = new Wake();
    const { signal } = new AbortController();
    wake.call();
    wake.call();
    await wake.wait(signal);
    const before = performance.now();
    await wake.wait(signal, 30);
    expect(performance.now() - before).toBeGreaterThan(20);
  });

  it('ends with the signal', async () => {
    const ending = new AbortController();
    const waiting = new Wake().wait(ending.signal);
    ending.abort();
    await waiting;
  });
});
