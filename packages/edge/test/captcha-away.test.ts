import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { workersOf } from '../process/nginx-workers.ts';
import { CaptchaWorld, insteadOf, reasonOf, strict } from './captcha-support.ts';
import { patience } from './support.ts';
import { told, worked } from './verify-support.ts';

/** Vendors of challenges that are slow, away, or say nothing of use: nobody is let in by that, and nobody kept out. */

let vw: CaptchaWorld;
beforeAll(async () => {
  vw = await CaptchaWorld.start();
});
afterAll(() => vw?.close());
beforeEach(() => vw.reset());

describe('a vendor that', () => {
  const away = [
    ['has a fault', { answer: { status: 503, body: 'down' } }],
    ['is busy', { answer: { status: 429, body: '{}' } }],
    ['says nothing of use', { answer: { status: 200, body: '<html>' } }],
    ['says what is no answer', { answer: { status: 200, body: '{"success":"true"}' } }],
    ['says far too much', { answer: { status: 200, body: `{"a":"${'x'.repeat(300_000)}"}` } }],
    ['sends elsewhere', { answer: { status: 302, body: '' } }],
  ] as const;
  it.each(away)('%s lets nobody in by its word, and keeps nobody out', async (_name, verification) => {
    const host = await vw.site('turnstile', {}, strict);
    const { page, answer } = await vw.solved(host, 'turnstile');
    vw.vendor.verification = verification;
    const refused = await vw.send(host, page.token, answer);
    expect(reasonOf(refused)).toBe('away');
    expect(await vw.isIn(host, refused)).toBe(false);
    const instead = insteadOf(page, refused);
    const passed = await vw.send(host, instead.token, worked(instead));
    expect(await vw.isIn(host, passed)).toBe(true);
  });

  it('is away is not asked for a while; pages ask for work meanwhile, and say so', async () => {
    const host = await vw.site('turnstile', {}, strict);
    vw.vendor.verification = { answer: { status: 500, body: '' } };
    for (let count = 0; count < 3; count++) {
      const { page, answer } = await vw.solved(host, 'turnstile');
      expect([page.bits, reasonOf(await vw.send(host, page.token, answer))]).toEqual([0, 'away']);
    }
    const page = await vw.get(host, { headers: { 'accept-language': 'en' } });
    expect(told(page).bits).toBeGreaterThan(8);
    expect(page.body).toContain('The usual check is unavailable.');
    expect(page.headers['content-security-policy']).not.toContain(vw.vendor.url);
    expect(page.body).not.toContain(vw.vendor.url);
    const passed = await vw.send(host, told(page).token, worked(told(page)));
    expect(await vw.isIn(host, passed)).toBe(true);
    expect(vw.vendor.verified).toHaveLength(3);
    // It is asked again by itself.
    vw.vendor.verification = {};
    await vi.waitFor(async () => expect(told(await vw.get(host)).bits).toBe(0), patience);
    const back = await vw.solved(host, 'turnstile');
    expect(reasonOf(await vw.send(host, back.page.token, back.answer))).toBe('passed');
  });

  it('does not listen at all is away', async () => {
    const host = await vw.site('turnstile', { verify_url: 'http://127.0.0.1:9/siteverify' });
    const { page, answer } = await vw.solved(host, 'turnstile');
    expect(reasonOf(await vw.send(host, page.token, answer))).toBe('away');
  });

  it('whose name leads nowhere yet is away', async () => {
    const host = await vw.site('turnstile', { verify_url: 'https://nowhere.invalid/siteverify' });
    const { page, answer } = await vw.solved(host, 'turnstile');
    expect(reasonOf(await vw.send(host, page.token, answer))).toBe('away');
  });

  it('never answers holds nobody up for long, with a thousand visitors at once', async () => {
    const host = await vw.site('recaptcha');
    const quiet = await vw.world.site({});
    vw.vendor.verification = { silent: true };
    const pages = [];
    for (let round = 0; round < 10; round++)
      pages.push(...(await Promise.all(Array.from({ length: 100 }, () => vw.solved(host, 'recaptcha')))));
    const started = performance.now();
    const answers = Promise.all(pages.map(({ page, answer }) => vw.send(host, page.token, answer)));
    // Other sites are served meanwhile.
    expect((await vw.get(quiet)).status).toBe(200);
    const reasons = (await answers).map(reasonOf);
    expect(new Set(reasons)).toEqual(new Set(['away']));
    expect(vw.vendor.atOnceMax).toBeLessThanOrEqual(64);
    expect(vw.vendor.atOnceMax).toBeGreaterThan(10);
    // One time limit for those who waited, and not one after another.
    expect((performance.now() - started) / 1000).toBeLessThan(30);
    // Whoever came has another way in.
    const instead = insteadOf(pages[0]!.page, (await answers)[0]!);
    expect(reasonOf(await vw.send(host, instead.token, worked(instead)))).toBe('passed');
  });

  it('never answers leaves room for others: of all accounts so many wait at once', async () => {
    vw.vendor.verification = { silent: true };
    const codes = ['turnstile', 'hcaptcha', 'recaptcha', 'turnstile', 'hcaptcha', 'recaptcha'] as const;
    const sites = [];
    for (const code of codes) sites.push({ code, host: await vw.site(code) });
    const pages = [];
    for (const { code, host } of sites)
      for (const page of await Promise.all(Array.from({ length: 64 }, () => vw.solved(host, code))))
        pages.push({ host, ...page });
    const answers = await Promise.all(
      pages.map(async ({ host, page, answer }) => reasonOf(await vw.send(host, page.token, answer))),
    );
    expect(new Set(answers)).toEqual(new Set(['away']));
    expect(vw.vendor.atOnceMax).toBeLessThanOrEqual(256);
    expect(vw.vendor.atOnceMax).toBeGreaterThan(128);
  });

  it('was being asked by a worker that was killed is asked as much as before by the next one', async () => {
    const host = await vw.site('hcaptcha');
    vw.vendor.verification = { silent: true };
    const pages = await Promise.all(Array.from({ length: 64 }, () => vw.solved(host, 'hcaptcha')));
    const answers = pages.map(({ page, answer }) => vw.send(host, page.token, answer).catch(() => undefined));
    await vi.waitFor(() => expect(vw.vendor.verified).toHaveLength(64), patience);
    for (const pid of await workersOf(vw.world.edge.edge.pid)) process.kill(pid, 'SIGKILL');
    await Promise.all(answers);
    vw.vendor.verification = {};
    await vi.waitFor(async () => {
      const { page, answer } = await vw.solved(host, 'hcaptcha');
      expect(reasonOf(await vw.send(host, page.token, answer))).toBe('passed');
    }, patience);
  });
});
