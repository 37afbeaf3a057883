import type { CaptchaAccountInput, CaptchaProviderCode } from '@breakwater/contract';
import {
  makeAdministrator,
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { startCaptchaVendor, type CaptchaVendorServer } from '@breakwater/test-world/captcha-vendor';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { captchaAccount, edgeDocument, operationLog } from '../../db/schema.ts';

let world: World;
let vendor: CaptchaVendorServer;
let one: Customer;
let other: Customer;
beforeAll(async () => {
  [world, vendor] = await Promise.all([
    startWorld({ templateUrl: inject('templateUrl') }),
    startCaptchaVendor(),
  ]);
  [one, other] = await Promise.all([makeCustomer(world), makeCustomer(world)]);
});
afterAll(() => Promise.all([world?.close(), vendor?.close()]));
beforeEach(() => {
  vendor.verification = {};
});

const input = (provider: CaptchaProviderCode = 'turnstile', more: object = {}): CaptchaAccountInput =>
  ({
    name: unique('captcha'),
    provider,
    params: { site_key: vendor.siteKey, secret_key: vendor.secretKey, url: vendor.url, ...more },
  }) as CaptchaAccountInput;
const create = async (body: CaptchaAccountInput, api = world.admin) =>
  (await api.get('createCaptchaAccount', { body })).id;
const test = (id: number, api = world.admin) => api.get('testCaptchaAccount', { params: { id } });
const read = (id: number, api = world.admin) => api.get('getCaptchaAccount', { params: { id } });

describe('the test of an account', () => {
  it.each(['turnstile', 'hcaptcha', 'recaptcha', 'geetest'] as const)(
    'at %s says whether the vendor takes its keys, and lets nobody in',
    async (provider) => {
      const id = await create(input(provider));
      expect(await test(id)).toMatchObject({ ok: true, message: '' });
      expect(await read(id)).toMatchObject({ last_error: '' });
      const wrong = await create(
        input(provider, provider === 'geetest' ? { site_key: 'wrong' } : { secret_key: 'wrong' }),
      );
      const message = 'The provider does not accept the key. Check that it is correct and active';
      expect(await test(wrong)).toMatchObject({ ok: false, message });
      expect((await read(wrong)).last_error).toBe(message);
    },
  );

  it('at hCaptcha notices a site key of another secret', async () => {
    expect(await test(await create(input('hcaptcha', { site_key: 'other' })))).toMatchObject({ ok: false });
  });

  it.each([
    [{ answer: { status: 503, body: '' } }, 'The provider is unavailable. Try again later (503)'],
    [
      { answer: { status: 429, body: '' } },
      'Too many requests: the provider is rate limiting. Try again later',
    ],
    [{ answer: { status: 200, body: '<html>' } }, 'The response of the provider could not be parsed (200)'],
  ])('says what is wrong with an answer', async (verification, message) => {
    vendor.verification = verification;
    expect(await test(await create(input()))).toMatchObject({ ok: false, message });
  });

  it('reaches no private address for a customer, and says so', async () => {
    const body = input('turnstile', { url: 'http://127.0.0.1:9' });
    const strict = await startWorld({ templateUrl: inject('templateUrl'), privateOrigins: false });
    try {
      const customer = await makeCustomer(strict);
      const { id } = await customer.api.get('createCaptchaAccount', { body });
      expect(await customer.api.get('testCaptchaAccount', { params: { id } })).toMatchObject({
        ok: false,
        message: 'Private and local addresses are not allowed',
      });
    } finally {
      await strict.close();
    }
  });
});

describe('its secret', () => {
  it('is sealed, never answered, and not in the log of calls', async () => {
    const secret = `0x4AAAsecret${Date.now()}`;
    const id = await create(input('turnstile', { secret_key: secret }));
    const shown = await read(id);
    expect(shown.params).toEqual({ site_key: vendor.siteKey, url: vendor.url, secret_key_set: true });
    const { db } = world.server.services;
    const [row] = await db.select().from(captchaAccount).where(eq(captchaAccount.id, id));
    expect(JSON.stringify(row)).not.toContain(secret);
    const logged = await db.select().from(operationLog);
    expect(JSON.stringify(logged)).not.toContain(secret);
  });

  it('is kept by a change that does not name it, but not for another server or another vendor', async () => {
    const body = input();
    const id = await create(body);
    const { secret_key: _, ...params } = body.params;
    const save = (version: number, value: object) =>
      world.admin.call('updateCaptchaAccount', {
        params: { id },
        body: { version, value: value as CaptchaAccountInput },
      });
    expect((await save(1, { ...body, params })).data).toMatchObject({ version: 2 });
    expect((await test(id)).ok).toBe(true);
    expect(await save(2, { ...body, params: { ...params, url: 'https://other.example.com' } })).toMatchObject(
      {
        status: 400,
        errors: [
          { path: 'value.params.secret_key', message: 'The server was changed. Enter the secret again' },
        ],
      },
    );
    expect(await save(2, { ...body, provider: 'hcaptcha', params })).toMatchObject({
      errors: [{ path: 'value.params.secret_key', message: 'This field is required' }],
    });
  });
});

it('has each error at its field', async () => {
  const wrong: [object, string][] = [
    [input('turnstile', { secret_key: undefined }), 'params.secret_key'],
    [input('turnstile', { site_key: '' }), 'params.site_key'],
    [input('turnstile', { site_key: 'a"b' }), 'params.site_key'],
    [input('turnstile', { url: 'https://a.test/path' }), 'params.url'],
    [input('turnstile', { url: "https://a.test; script-src 'unsafe-inline'" }), 'params.url'],
    [input('turnstile', { url: 'javascript:alert(1)' }), 'params.url'],
    [input('recaptcha', { score_min: '2' }), 'params.score_min'],
    [input('turnstile', { score_min: '0.5' }), 'params.score_min'],
    [{ ...input(), name: '' }, 'name'],
    [{ ...input(), provider: 'nobody' }, 'provider'],
  ];
  for (const [body, path] of wrong) {
    const answer = await world.admin.call('createCaptchaAccount', { body: body as CaptchaAccountInput });
    expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, errors: [{ path }] });
  }
  const name = unique('twice');
  await create({ ...input(), name });
  expect(await world.admin.call('createCaptchaAccount', { body: { ...input(), name } })).toMatchObject({
    errors: [{ path: 'name', message: 'This name is taken' }],
  });
});

it('of two who save at once one is told that the other was faster', async () => {
  const body = input();
  const id = await create(body);
  const save = () =>
    world.admin.call('updateCaptchaAccount', { params: { id }, body: { version: 1, value: body } });
  const answers = await Promise.all([save(), save(), save()]);
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 40_901, 40_901]);
});

describe('a site', () => {
  const setKind = async (id: number, value: object, api = world.admin) => {
    const { version } = await api.get('getBrowserVerifyRule', { params: { id } });
    return api.call('updateBrowserVerifyRule', {
      params: { id },
      body: { version, value: { enabled: true, kind: 'external', ...value } } as never,
    });
  };
  const bodyOf = async (kind: 'captcha_account' | 'site', key: number) => {
    const { db, secrets } = world.server.services;
    const [row] = await db
      .select()
      .from(edgeDocument)
      .where(and(eq(edgeDocument.kind, kind), eq(edgeDocument.key, String(key))));
    if (!row || row.deleted) return undefined;
    return { stored: row.body!, text: kind === 'site' ? row.body! : secrets.decrypt(row.body!) };
  };

  it('that shows a vendor’s challenge has its account with its nodes, sealed; who changes it tells them', async () => {
    const customer = await makeCustomer(world);
    const site = await makeSite(customer.api);
    const body = input('recaptcha', { version: 'v3', score_min: '0.7' });
    const id = await create(body, customer.api);
    expect(await bodyOf('captcha_account', id)).toBeUndefined();
    expect((await setKind(site.id, { captcha_account_id: id }, customer.api)).status).toBe(200);
    const sent = await bodyOf('captcha_account', id);
    expect(sent!.stored).not.toContain(vendor.secretKey);
    expect(JSON.parse(sent!.text)).toEqual({
      account_id: id,
      vendor: 'recaptcha',
      site_key: vendor.siteKey,
      secret_key: vendor.secretKey,
      verify_url: `${vendor.url}/recaptcha/api/siteverify`,
      script_url: `${vendor.url}/recaptcha/api.js`,
      sources: expect.arrayContaining([vendor.url, 'https://www.gstatic.com/recaptcha/']) as string[],
      score_min: 0.7,
    });
    const document = JSON.parse((await bodyOf('site', site.id))!.text) as { needs: string[] };
    expect(document.needs).toContain('challenge.external');
    expect(JSON.stringify(document)).not.toContain(vendor.secretKey);
    expect(await read(id, customer.api)).toMatchObject({ site_count: 1, level_count: 0 });

    const value = { ...body, params: { ...body.params, site_key: 'another' } } as CaptchaAccountInput;
    const { task_id: task } = await customer.api.get('updateCaptchaAccount', {
      params: { id },
      body: { version: 1, value },
    });
    expect(task).not.toBeUndefined();
    expect((await bodyOf('captcha_account', id))!.text).toContain('"another"');

    expect(await customer.api.call('removeCaptchaAccount', { params: { id } })).toMatchObject({
      status: 409,
    });
    await setKind(site.id, { kind: 'image', captcha_account_id: undefined }, customer.api);
    expect(await bodyOf('captcha_account', id)).toBeUndefined();
    expect((await customer.api.call('removeCaptchaAccount', { params: { id } })).status).toBe(200);
  });

  it('says by which account, and names none that is not its customer’s', async () => {
    const site = await makeSite(one.api);
    const at = 'value.captcha_account_id';
    expect(await setKind(site.id, {}, one.api)).toMatchObject({ status: 400, errors: [{ path: at }] });
    const platforms = await create(input());
    const others = await create(input(), other.api);
    for (const id of [platforms, others, 999_999])
      expect(await setKind(site.id, { captcha_account_id: id }, one.api)).toMatchObject({
        status: 400,
        errors: [{ path: at, message: 'The selected object does not exist' }],
      });
    // An administrator may name the platform's, and still not another customer's.
    expect((await setKind(site.id, { captcha_account_id: others })).status).toBe(400);
    expect((await setKind(site.id, { captcha_account_id: platforms })).status).toBe(200);
    // What is there stays, whoever saves.
    expect((await setKind(site.id, { captcha_account_id: platforms, difficulty: 16 }, one.api)).status).toBe(
      200,
    );
  });

  it('is not left without its account by who deletes it at the same time', async () => {
    const site = await makeSite(one.api);
    const id = await create(input(), one.api);
    const [saved, removed] = await Promise.all([
      setKind(site.id, { captcha_account_id: id }, one.api),
      one.api.call('removeCaptchaAccount', { params: { id } }),
    ]);
    expect([
      [200, 409],
      [400, 200],
    ]).toContainEqual([saved.status, removed.status]);
  });
});

it('a level names accounts of its own kind, and keeps them', async () => {
  const save = async (value: object, level: 'global' | 'client' = 'global', target_id = 0) => {
    const query = { level, target_id, section: 'browser_verify_rule' } as const;
    const { version } = await world.admin.get('getSiteLevelSection', { query });
    return world.admin.call('updateSiteLevelSection', {
      query,
      body: { version, value: value as never, own: Object.keys(value) },
    });
  };
  const theirs = await create(input(), one.api);
  const id = await create(input());
  expect(await save({ captcha_account_id: theirs })).toMatchObject({ status: 400 });
  expect(await save({ captcha_account_id: id })).toMatchObject({ status: 200 });
  expect(await read(id)).toMatchObject({ level_count: 1 });
  expect(await world.admin.call('removeCaptchaAccount', { params: { id } })).toMatchObject({ status: 409 });
  expect(await save({})).toMatchObject({ status: 200 });
  // Those of one customer name theirs, too, and no other customer's.
  expect(await save({ captcha_account_id: theirs }, 'client', other.id)).toMatchObject({
    status: 400,
    errors: [{ path: 'value.captcha_account_id' }],
  });
  expect(await save({ captcha_account_id: theirs }, 'client', one.id)).toMatchObject({ status: 200 });
  expect(await save({ captcha_account_id: id }, 'client', one.id)).toMatchObject({ status: 200 });
  expect(await save({}, 'client', one.id)).toMatchObject({ status: 200 });
  expect((await world.admin.call('removeCaptchaAccount', { params: { id } })).status).toBe(200);
});

describe('who may', () => {
  it('a customer has accounts of their own, and those of nobody else', async () => {
    const customer = await makeCustomer(world);
    const id = await create(input(), customer.api);
    const platform = await create(input());
    expect((await customer.api.get('listCaptchaAccounts', { query: {} })).list.map((row) => row.id)).toEqual([
      id,
    ]);
    const usable = { usable_by: 'platform' } as const;
    expect((await customer.api.get('listCaptchaAccounts', { query: usable })).total).toBe(0);
    for (const [api, of] of [
      [other.api, id],
      [customer.api, platform],
    ] as const) {
      const params = { id: of };
      for (const answer of [
        await api.call('getCaptchaAccount', { params }),
        await api.call('updateCaptchaAccount', { params, body: { version: 1, value: input() } }),
        await api.call('testCaptchaAccount', { params }),
        await api.call('removeCaptchaAccount', { params }),
      ])
        expect(answer).toMatchObject({ status: 404 });
    }
    const query = { usable_by: customer.id, page_size: 200 };
    const ids = (await world.admin.get('listCaptchaAccounts', { query })).list.map((row) => row.id);
    expect([ids.includes(id), ids.includes(platform)]).toEqual([true, true]);
  });

  it('nobody without a session', async () => {
    for (const api of [world.anonymous, world.anonymousUser])
      expect(await api.call('createCaptchaAccount', { body: input() })).toMatchObject({ status: 401 });
  });

  it('nobody without the permission', async () => {
    const { api } = await makeAdministrator(world, ['captcha_account.read']);
    expect((await api.call('listCaptchaAccounts', { query: {} })).status).toBe(200);
    expect(await api.call('createCaptchaAccount', { body: input() })).toMatchObject({ status: 403 });
  });
});
