import { signChallenge, signPass } from '@breakwater/policy/protect/verify';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agent, CaptchaWorld, insteadOf, key, putAccount, reasonOf, strict } from './captcha-support.ts';
import type { Answer } from './support.ts';
import { told, worked } from './verify-support.ts';

/** Challenges of vendors on a real nginx, which asks a server that answers as the vendors document it. */

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

let vw: CaptchaWorld;
beforeAll(async () => {
  vw = await CaptchaWorld.start();
});
afterAll(() => vw?.close());
beforeEach(() => vw.reset());

const codes = ['turnstile', 'hcaptcha', 'recaptcha', 'geetest'] as const;

describe.each(codes)('%s', (code) => {
  it('lets in whom the vendor vouches for, and is told nothing of the visitor', async () => {
    const host = await vw.site(code);
    const { page, answer } = await vw.solved(host, code);
    const passed = await vw.send(host, page.token, answer);
    expect([passed.status, passed.body]).toEqual([200, '{}']);
    expect(await vw.isIn(host, passed)).toBe(true);
    const [form] = vw.vendor.verified;
    expect([...form!.keys()].toSorted()).toEqual(
      code === 'geetest'
        ? ['captcha_id', 'captcha_output', 'gen_time', 'lot_number', 'pass_token', 'sign_token']
        : code === 'hcaptcha'
          ? ['response', 'secret', 'sitekey']
          : ['response', 'secret'],
    );
  });

  it('is shown by the vendor’s script alone, with the site’s key and without its secret', async () => {
    const host = await vw.site(code);
    const page = await vw.get(host, { headers: { 'accept-language': 'zh-CN' } });
    const policy = page.headers['content-security-policy'] as string;
    expect(policy).toContain(
      `script-src 'nonce-${page.headers['x-request-id'] as string}' ${vw.vendor.url};`,
    );
    expect(policy).toContain(`frame-src ${vw.vendor.url};`);
    expect(policy).toMatch(
      /^default-src 'none'; .*form-action 'self'; base-uri 'none'; frame-ancestors 'self'$/,
    );
    expect(page.headers['referrer-policy']).toBe('strict-origin');
    expect(page.body).toContain(vw.vendor.siteKey);
    expect(page.body).not.toContain('secret');
    expect(page.body).toContain('此验证由');
    expect(Buffer.byteLength(page.body)).toBeLessThan(30_000);
    const { ext } = told(page) as unknown as { ext: { lang: string; src: string } };
    expect([ext.lang.toLowerCase().startsWith('zh'), ext.src.startsWith(vw.vendor.url)]).toEqual([
      true,
      true,
    ]);
  });

  it('takes a token once: the same again, with another challenge, or after another node took it', async () => {
    const host = await vw.site(code);
    const { page, answer } = await vw.solved(host, code);
    expect(reasonOf(await vw.send(host, page.token, answer))).toBe('passed');
    expect(reasonOf(await vw.send(host, page.token, answer))).toBe('used');
    const next = told(await vw.get(host));
    expect(reasonOf(await vw.send(host, next.token, answer))).toBe('used');
    // Nothing of that was asked of the vw.vendor.
    expect(vw.vendor.verified).toHaveLength(1);
    const other = await vw.solved(host, code);
    const direct = new URLSearchParams(code === 'geetest' ? {} : { secret: vw.vendor.secretKey });
    const token = other.answer.slice(7);
    if (code === 'geetest') {
      const [lot, output, pass, time] = token.split(' ');
      const sign = hmac(vw.vendor.secretKey, lot!);
      for (const [name, value] of Object.entries({
        captcha_id: vw.vendor.siteKey,
        lot_number: lot!,
        captcha_output: output!,
        pass_token: pass!,
        gen_time: time!,
        sign_token: sign,
      }))
        direct.set(name, value);
    } else {
      direct.set('response', token);
      direct.set('sitekey', vw.vendor.siteKey);
    }
    await fetch(vw.vendor.account(code, 0).verify_url, { method: 'POST', body: direct });
    expect(reasonOf(await vw.send(host, other.page.token, other.answer))).toBe('used');
  });

  it('takes no token that was got on another site', async () => {
    const host = await vw.site(code);
    const { page, answer } = await vw.solved(host, code, { hostname: 'evil.test' });
    const refused = await vw.send(host, page.token, answer);
    expect(reasonOf(refused)).toBe('elsewhere');
    expect(await vw.isIn(host, refused)).toBe(false);
  });

  it('takes no forged answer', async () => {
    const host = await vw.site(code, {}, strict);
    const forged = code === 'geetest' ? `${'0'.repeat(32)} out pass 1` : 'XXXX.DUMMY.TOKEN.XXXX';
    const reasons: (string | undefined)[] = [];
    for (const answer of [
      `vendor:${forged}`,
      'vendor:',
      'vendor:a&secret=x',
      'vendor:a\r\nHost: evil.test',
      `vendor:${'a'.repeat(6001)}`,
      'work:0',
      'work:1',
      'sight:1',
    ])
      reasons.push(reasonOf(await vw.send(host, told(await vw.get(host)).token, answer)));
    expect(reasons).toEqual([
      'wrong',
      'malformed',
      'malformed',
      'malformed',
      'malformed',
      'wrong',
      'wrong',
      'wrong',
    ]);
    expect(vw.vendor.verified).toHaveLength(1);
  });

  it('is not asked while its keys are wrong: visitors get work in its place', async () => {
    const isKeyed = code !== 'geetest';
    const wrong = isKeyed ? { secret_key: 'wrong' } : { site_key: 'wrong' };
    const host = await vw.site(code, wrong, strict);
    const { page, answer } = await vw.solved(host, code);
    expect(page.bits).toBe(0);
    const refused = await vw.send(host, page.token, answer);
    expect(reasonOf(refused)).toBe('away');
    const instead = insteadOf(page, refused);
    expect(instead.bits).toBeGreaterThan(0);
    const passed = await vw.send(host, instead.token, worked(instead));
    expect(reasonOf(passed)).toBe('passed');
    expect(await vw.isIn(host, passed)).toBe(true);
  });
});

describe('a token', () => {
  it('of Turnstile is good for the challenge that it was got for alone', async () => {
    const host = await vw.site('turnstile');
    const { answer } = await vw.solved(host, 'turnstile');
    const other = told(await vw.get(host));
    expect(reasonOf(await vw.send(host, other.token, answer))).toBe('elsewhere');
    const login = await vw.solved(host, 'turnstile', { action: 'login' });
    expect(reasonOf(await vw.send(host, login.page.token, login.answer))).toBe('elsewhere');
  });

  it('of reCAPTCHA v3 needs the score that the account asks for', async () => {
    const host = await vw.site('recaptcha', { score_min: 0.5 });
    const low = await vw.solved(host, 'recaptcha', { score: 0.4 });
    expect(reasonOf(await vw.send(host, low.page.token, low.answer))).toBe('low_score');
    // The same challenge can be done by work.
    expect(reasonOf(await vw.send(host, low.page.token, worked(low.page)))).toBe('passed');
    const high = await vw.solved(host, 'recaptcha', { score: 0.5 });
    expect(reasonOf(await vw.send(host, high.page.token, high.answer))).toBe('passed');
    const none = await vw.solved(host, 'recaptcha');
    expect(reasonOf(await vw.send(host, none.page.token, none.answer))).toBe('elsewhere');
  });

  it('comes with a challenge that is the visitor’s own, of this kind', async () => {
    const host = await vw.site('hcaptcha');
    const other = await vw.site('hcaptcha');
    const { page, answer } = await vw.solved(host, 'hcaptcha');
    expect(reasonOf(await vw.send(other, page.token, answer))).toBe('forged');
    expect(reasonOf(await vw.send(host, page.token, answer, { from: '127.0.9.1' }))).toBe('forged');
    expect(reasonOf(await vw.send(host, page.token.replace('external', 'javascript'), answer))).toBe(
      'forged',
    );
    const bound = { siteId: /\d+/.exec(host)![0], network: '127.0.0/24', agent };
    const issued = Math.floor(Date.now() / 1000);
    const challenge = { kind: 'javascript', issued, difficulty: 8, nonce: 'b'.repeat(32) } as const;
    expect(reasonOf(await vw.send(host, signChallenge(challenge, bound, key, hmac), answer))).toBe('wrong');
    expect(vw.vendor.verified).toHaveLength(0);
    expect(reasonOf(await vw.send(host, page.token, answer))).toBe('passed');
  });

  it('that is sent twice at the same moment lets one in', async () => {
    const host = await vw.site('recaptcha');
    const { page, answer } = await vw.solved(host, 'recaptcha');
    vw.vendor.verification = { seconds: 0.3 };
    const reasons = await Promise.all(
      Array.from({ length: 20 }, async () => reasonOf(await vw.send(host, page.token, answer))),
    );
    expect(reasons.filter((reason) => reason === 'passed')).toHaveLength(1);
    expect(vw.vendor.verified).toHaveLength(1);
  });

  it('is asked about once for each challenge, however many come with it', async () => {
    const host = await vw.site('hcaptcha');
    const page = told(await vw.get(host));
    const reasons: (string | undefined)[] = [];
    for (const token of ['made', 'up', 'each', 'time'])
      reasons.push(reasonOf(await vw.send(host, page.token, `vendor:${token}`)));
    expect(reasons).toEqual(['wrong', 'used', 'used', 'used']);
    expect(vw.vendor.verified).toHaveLength(1);
  });

  it('of another site counts as wrong, and too many are not heard', async () => {
    const host = await vw.site('hcaptcha', {}, { wrong_answers_max: 3 });
    const once = async () => {
      const { page, answer } = await vw.solved(host, 'hcaptcha', { hostname: 'evil.test' });
      return (await vw.send(host, page.token, answer)).status;
    };
    expect([await once(), await once(), await once(), await once()]).toEqual([403, 403, 403, 429]);
  });
});

describe('an account', () => {
  it('that the node does not have leaves the node’s own work', async () => {
    const host = await vw.world.site({
      verify: { enabled: true, kind: 'external', difficulty: 8, captcha_account_id: 9999, ...strict },
    });
    const page = told(await vw.get(host));
    expect(page.bits).toBeGreaterThan(0);
    expect(reasonOf(await vw.send(host, page.token, worked(page)))).toBe('passed');
    expect(reasonOf(await vw.send(host, told(await vw.get(host)).token, 'vendor:x'))).toBe('away');
  });

  it('of a vendor that this node does not know is refused by name', async () => {
    const account = { ...vw.vendor.account('turnstile', 8888), vendor: 'hologram' as never };
    expect(await putAccount(vw.world.edge, account)).toMatchObject({
      status: 'refused',
      error: 'captcha_account.vendor: this node does not know hologram',
    });
  });

  it('that was changed is the one that counts', async () => {
    const host = await vw.site('turnstile', { site_key: 'former-key' });
    expect((await vw.get(host)).body).toContain('former-key');
    await putAccount(vw.world.edge, vw.vendor.account('turnstile', vw.accounts, { site_key: 'newer-key' }));
    const page = await vw.get(host);
    expect([page.body.includes('former-key'), page.body.includes('newer-key')]).toEqual([false, true]);
  });
});

it('a rule that asks for a vendor’s challenge has the site’s, and a pass of a picture does not do', async () => {
  const id = ++vw.accounts;
  await putAccount(vw.world.edge, vw.vendor.account('hcaptcha', id));
  const condition = {
    match: 'all',
    items: [{ field: 'path', operator: 'equals', values: ['/'] }],
  } as const;
  const host = await vw.world.site({
    verify: { enabled: false, captcha_account_id: id, difficulty: 8 },
    matchers: [{ action: 'challenge', condition, challenge: { kind: 'external' } }] as never,
  });
  const { page, answer } = await vw.solved(host, 'hcaptcha');
  expect(page.kind).toBe('external');
  const issued = Math.floor(Date.now() / 1000);
  const bound = { siteId: /\d+/.exec(host)![0], network: '127.0.0/24', agent };
  const pass = (kind: 'image' | 'external') =>
    `bw_pass=${signPass({ kind, issued, seconds: 60, id: 'c'.repeat(32) }, bound, key, hmac)}`;
  expect((await vw.get(host, { headers: { cookie: pass('image') } })).status).toBe(403);
  expect((await vw.get(host, { headers: { cookie: pass('external') } })).status).toBe(200);
  expect(await vw.isIn(host, await vw.send(host, page.token, answer))).toBe(true);
});

it('the log says what became of an answer', async () => {
  const host = await vw.site('turnstile');
  const line = async (answer: Answer) => {
    const id = answer.headers['x-request-id'];
    return (await vw.world.edge.logLines(1, ({ request_id }) => request_id === id))[0]!.decision;
  };
  const elsewhere = await vw.solved(host, 'turnstile', { hostname: 'evil.test' });
  expect(await line(await vw.send(host, elsewhere.page.token, elsewhere.answer))).toBe(
    'browser_verify_rule elsewhere',
  );
  vw.vendor.verification = { answer: { status: 500, body: '' } };
  const { page, answer } = await vw.solved(host, 'turnstile');
  expect(await line(await vw.send(host, page.token, answer))).toBe('browser_verify_rule away');
});
