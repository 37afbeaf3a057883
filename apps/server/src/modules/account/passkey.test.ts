import { makeCustomer, startWorld, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { passkey } from '../../db/schema.ts';
import { isGoodChallenge, makeChallenge, spendChallenge } from './passkey-challenge.ts';

/** What needs no authenticator; `e2e/passkey.test.ts` has one. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const refused = { status: 401, code: 40_104 };

describe('a challenge', () => {
  it('is ours, for one thing, and good once', async () => {
    const { secrets, db } = world.server.services;
    const made = makeChallenge(secrets, 'register admin 1');
    const challenge = text(made);
    expect(isGoodChallenge(secrets, 'register admin 1', challenge)).toBe(true);
    for (const other of ['sign-in', 'register admin 11', 'register client 1'] as const)
      expect(isGoodChallenge(secrets, other, challenge)).toBe(false);
    expect(await Promise.all([spendChallenge(db, challenge), spendChallenge(db, challenge)])).toEqual(
      expect.arrayContaining([true, false]),
    );
    const later = made.slice();
    // Its end, a little later.
    later[20]! ^= 1;
    for (const forged of ['', 'AAAA', text(later), text(made.slice(0, 24))])
      expect(isGoodChallenge(secrets, 'register admin 1', forged)).toBe(false);
  });

  it('is for a page of this host only', async () => {
    const ask = (origin: string) =>
      world.anonymous.send('POST', '/prod-api/auth/passkey_challenge', {}, { origin });
    expect((await ask(world.adminUrl)).data).toMatchObject({ relying_party: '127.0.0.1' });
    expect((await ask(world.userUrl)).status).toBe(200);
    for (const origin of ['', 'null', 'https://elsewhere.example.com', 'http://127.0.0.1:1'])
      expect(await ask(origin)).toMatchObject(refused);
  });
});

describe('passkeys', () => {
  it('are renamed and deleted by whose they are only', async () => {
    const [one, other] = [await makeCustomer(world), await makeCustomer(world)];
    const { db } = world.server.services;
    const [row] = await db
      .insert(passkey)
      .values({
        clientId: one.id,
        name: 'laptop',
        credentialId: 'AAAA',
        publicKey: new Uint8Array(1),
        counter: 0,
        relyingParty: '127.0.0.1',
      })
      .returning();
    const params = { id: row!.id };
    expect((await other.api.get('listPasskeys', { query: {} })).list).toEqual([]);
    for (const api of [other.api, world.admin]) {
      expect(await api.call('renamePasskey', { params, body: { name: 'x', version: 1 } })).toMatchObject({
        status: 404,
      });
      expect(await api.call('removePasskey', { params })).toMatchObject({ status: 404 });
    }
    await one.api.get('renamePasskey', { params, body: { name: 'desk', version: 1 } });
    const older = await one.api.call('renamePasskey', { params, body: { name: 'shelf', version: 1 } });
    expect(older).toMatchObject({ code: 40_901 });
    const { list } = await one.api.get('listPasskeys', { query: {} });
    expect(list).toMatchObject([{ name: 'desk', version: 2 }]);
    await one.api.get('removePasskey', { params });
  });

  it('are made for the password only, and of nothing that an authenticator did not make', async () => {
    const one = await makeCustomer(world);
    const headers = { origin: world.userUrl };
    const start = (password: string) =>
      one.api.send('POST', '/prod-api/account/passkey/start', { name: 'x', password }, headers);
    expect(await start('wrong')).toMatchObject({ status: 400, errors: [{ path: 'password' }] });
    expect((await start(one.password)).status).toBe(200);
    const made = { name: 'x', credential_id: 'AAAA', client_data: 'AAAA', attestation_object: 'AAAA' };
    expect(await one.api.send('POST', '/prod-api/account/passkey', made, headers)).toMatchObject(refused);
  });

  it('that nobody has sign in nobody, and can be tried as often as passwords', async () => {
    const body = {
      credential_id: 'BBBB',
      client_data: 'AAAA',
      authenticator_data: 'AAAA',
      assertion: 'AAAA',
    };
    const tries = await Promise.all(
      Array.from({ length: 7 }, () =>
        world.anonymous.send('POST', '/prod-api/auth/passkey_login', body, { origin: world.adminUrl }),
      ),
    );
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(2);
  }, 20_000);
});
