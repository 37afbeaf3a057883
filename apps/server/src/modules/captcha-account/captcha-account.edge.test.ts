import { makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { startCaptchaVendor, type CaptchaVendorServer } from '@breakwater/test-world/captcha-vendor';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

/** From the account's form to a visitor who passes, on a real node with its agent, which finds the vendor by its name. */

let world: World;
let vendor: CaptchaVendorServer;
let site: { id: number; domain: string };
beforeAll(async () => {
  [world, vendor] = await Promise.all([
    startWorld({ templateUrl: inject('templateUrl'), edge: true }),
    startCaptchaVendor(),
  ]);
  const origin = await world.startOrigin((_, response) => response.end('the site'));
  site = await makeSite(world.admin, { port: origin.port });
});
afterAll(() => Promise.all([world?.close(), vendor?.close()]));

const agent = 'Mozilla/5.0 Test';
const headers = { 'user-agent': agent, accept: 'text/html' };
const page = () => world.fetchEdge(site.domain, '/', { headers });
const tokenIn = (body: string) => /"token":"([^"]+)"/.exec(body)?.[1] ?? '';
const bitsOf = (token: string) => Number(token.split('.')[2]);

async function answer(token: string, given: string) {
  return world.fetchEdge(site.domain, '/.well-known/breakwater/verify/answer', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, answer: given }).toString(),
  });
}

it('a visitor passes by the account that was entered, also while the control plane does not answer, until it is taken away', async () => {
  const url = vendor.url.replace('127.0.0.1', 'localhost');
  const { id } = await world.admin.get('createCaptchaAccount', {
    body: {
      name: 'Checks',
      provider: 'turnstile',
      params: { site_key: vendor.siteKey, secret_key: vendor.secretKey, url },
    },
  });
  const params = { id: site.id };
  const save = async (value: object) => {
    const { version } = await world.admin.get('getBrowserVerifyRule', { params });
    await world.admin.get('updateBrowserVerifyRule', { params, body: { version, value } });
  };
  await save({ enabled: true, kind: 'external', captcha_account_id: id, external_fallback: 'vendor_down' });
  await waitFor('the challenge', async () => {
    const { status, body } = await page();
    return status === 403 && tokenIn(body) !== '' && bitsOf(tokenIn(body)) === 0;
  });
  await world.stopControlPlane();
  const token = tokenIn((await page()).body);
  const issued = { hostname: site.domain, action: 'breakwater', cdata: token.split('.')[3] };
  const passed = await answer(token, `vendor:${vendor.issue('turnstile', issued)}`);
  expect([passed.status, passed.body]).toEqual([200, '{}']);
  const cookie = String(passed.headers['set-cookie']).split(';')[0]!;
  const again = await world.fetchEdge(site.domain, '/', { headers: { ...headers, cookie } });
  expect([again.status, again.body]).toEqual([200, 'the site']);

  await world.startControlPlane();

  // Another secret reaches the node: the vendor no longer takes it, and visitors get work.
  await world.admin.get('updateCaptchaAccount', {
    params: { id },
    body: {
      version: 1,
      value: {
        name: 'Checks',
        provider: 'turnstile',
        params: { site_key: 'another', secret_key: 'wrong', url },
      },
    },
  });
  await waitFor('the other account', async () => (await page()).body.includes('"another"'));
  const next = tokenIn((await page()).body);
  const refused = await answer(next, `vendor:${vendor.issue('turnstile', issued)}`);
  expect(JSON.parse(refused.body)).toMatchObject({ reason: 'away' });
  expect(bitsOf((JSON.parse(refused.body) as { token: string }).token)).toBeGreaterThan(0);

  await save({ enabled: true, kind: 'javascript' });
  await waitFor('the other kind', async () => tokenIn((await page()).body).startsWith('javascript.'));
  await world.admin.get('removeCaptchaAccount', { params: { id } });
});
