import { healthReport, type HealthReport } from '@breakwater/contract';
import { unjudged, type OriginState } from '@breakwater/policy/origin/health';
import { waitFor } from '@breakwater/test-world/wait';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HealthReporter } from './health-report.ts';
import type { Watched } from './probe-check.ts';
import type { Target } from './probe-target.ts';

/** A reporter, and what reached the other end of its line, which can be cut. */
function start() {
  const sent: HealthReport[] = [];
  const line = { isCut: false };
  const reporter = new HealthReporter({
    controlPlane: {
      reportHealth: async (report) => {
        if (line.isCut) throw new Error('nobody answers');
        sent.push(healthReport.parse(report));
      },
    },
    logger: pino({ level: 'silent' }),
  });
  const ending = new AbortController();
  const running = reporter.run(ending.signal);
  onTestFinished(async () => {
    ending.abort();
    await running;
  });
  return { reporter, sent, line };
}

const watchedAt = (n: number): Watched => ({
  place: `${n} 192.0.2.1 80 443`,
  site_id: n,
  address: 'origin.example.com',
  ip: '192.0.2.1',
  port: 80,
});

function judgedAs(state: OriginState, at = 0): Target {
  const moment = new Date(Date.UTC(2026, 0, 1) + at * 1000);
  return {
    key: '',
    question: {} as Target['question'],
    judgement: {} as Target['judgement'],
    watched: new Map(),
    health: { ...unjudged, state },
    since: moment,
    checkedAt: moment,
    latencyMilliseconds: 3,
    error: state === 'down' ? { code: 'refused', detail: 'ECONNREFUSED' } : undefined,
    dueAt: 0,
    startedAt: undefined,
  };
}

const originsOf = (sent: HealthReport[]) => sent.flatMap(({ origins }) => origins);
const eventsOf = (sent: HealthReport[]) => sent.flatMap(({ events }) => events);

describe('what the control plane is told', () => {
  it('begins anew once, and then only adds', async () => {
    const { reporter, sent } = start();
    await waitFor('the first report', () => sent.length === 1);
    reporter.judged(judgedAs('up'), watchedAt(1));
    await waitFor('the second report', () => sent.length === 2);
    expect(sent.map(({ reset, origins, events }) => [reset, origins.length, events.length])).toEqual([
      [true, 0, 0],
      [false, 1, 0],
    ]);
  });

  it('of a great many comes in messages of 500', async () => {
    const { reporter, sent } = start();
    for (let n = 1; n <= 1700; n++) reporter.judged(judgedAs('up'), watchedAt(n));
    await waitFor('all of them', () => originsOf(sent).length === 1700);
    expect(Math.max(...sent.map(({ origins }) => origins.length))).toBe(500);
    expect(new Set(originsOf(sent).map(({ site_id }) => site_id)).size).toBe(1700);
  });

  it('of a change comes at once, and of what stays the same not again', async () => {
    const { reporter, sent } = start();
    reporter.judged(judgedAs('up'), watchedAt(1));
    reporter.judged(judgedAs('up', 10), watchedAt(1));
    await waitFor('the state', () => originsOf(sent).length === 1);
    reporter.judged(judgedAs('down', 20), watchedAt(1));
    await waitFor('the change', () => originsOf(sent).length === 2, 3);
    reporter.judged(judgedAs('down', 30), watchedAt(1));
    reporter.judged(judgedAs('up', 40), watchedAt(1));
    await waitFor('the end', () => originsOf(sent).length === 3, 3);
    expect(eventsOf(sent).map(({ state, at, error }) => [state, at.slice(17, 19), error?.code])).toEqual([
      ['down', '20', 'refused'],
      ['up', '40', undefined],
    ]);
  });

  it('of changes during an outage comes afterwards, each once, the oldest given up beyond 5000', async () => {
    const { reporter, sent, line } = start();
    await waitFor('the first report', () => sent.length === 1);
    line.isCut = true;
    for (let n = 1; n <= 5200; n++) reporter.judged(judgedAs(n % 2 === 0 ? 'up' : 'down', n), watchedAt(1));
    line.isCut = false;
    await waitFor('the newest', () => eventsOf(sent).length === 5000, 30);
    const times = eventsOf(sent).map(({ at }) => at);
    expect(new Set(times).size).toBe(5000);
    expect([...times].sort()).toEqual(times);
    expect(times.at(-1)).toBe(judgedAs('up', 5200).since.toISOString());
  });

  it('of what is no longer checked is that it is gone', async () => {
    const { reporter, sent } = start();
    reporter.judged(judgedAs('down'), watchedAt(1));
    await waitFor('the state', () => originsOf(sent).length === 1);
    reporter.gone(watchedAt(1));
    reporter.gone(watchedAt(2));
    await waitFor('its end', () => sent.some(({ gone }) => gone.length > 0));
    expect(sent.flatMap(({ gone }) => gone.map(({ site_id }) => site_id))).toEqual([1]);
  });
});
