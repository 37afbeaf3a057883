import { hideSecrets, secretField, secretPlaces, shown } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { diffJson } from '@breakwater/contract/json-diff';
import {
  assertSealed,
  holdsSecrets,
  keepSecrets,
  maskDiff,
  openValue,
  putBack,
  sealValue,
  withoutSecrets,
} from './secret-values.ts';
import { isSealed, makeSecrets, newKey } from './secrets.ts';

const schema = z.strictObject({
  storage: z
    .strictObject({ region: z.string(), ...secretField('secret_access_key', z.string().max(20)) })
    .optional(),
  list: z.array(z.strictObject({ name: z.string(), ...secretField('password', z.string()) })).prefault([]),
  bare: z.array(z.strictObject({ url: z.string(), ...secretField('token', z.string()) })).default([]),
});
type Value = z.output<typeof schema>;
const places = secretPlaces(schema);
const secrets = makeSecrets({ encryption: [newKey()], session: [newKey()] });

const value = (secret: string | undefined): Value => ({
  storage: { region: 'eu', ...(secret === undefined ? {} : { secret_access_key: secret }) },
  list: [{ name: 'a', password: 'p1' }, { name: 'b' }],
  bare: [],
});

describe('secrets of a value', () => {
  it('stand where its schema says', () => {
    expect(places).toEqual({
      storage: { secret_access_key: true },
      list: { password: true },
      bare: { token: true },
    });
    expect(holdsSecrets(value('x'), places)).toBe(true);
    expect(holdsSecrets({ list: [{ name: 'b', password: '' }] }, places)).toBe(false);
  });

  it('are sealed and opened', () => {
    const sealed = sealValue(value('hidden'), places, secrets);
    expect(isSealed(sealed.storage!.secret_access_key!)).toBe(true);
    expect(JSON.stringify(sealed)).not.toMatch(/hidden|p1/);
    expect(openValue(sealed, places, secrets)).toEqual(value('hidden'));
    assertSealed(sealed, places);
    expect(() => assertSealed({ list: [{ name: 'a', password: 'p1' }] }, places)).toThrow(
      'list.0.password would be stored in clear',
    );
  });

  it('are not in an answer, which says whether they are set', () => {
    const answer = hideSecrets(schema, value('hidden'));
    expect(answer).toEqual({
      storage: { region: 'eu', secret_access_key_set: true },
      list: [
        { name: 'a', password_set: true },
        { name: 'b', password_set: false },
      ],
      bare: [],
    });
    expect(shown(schema).parse(answer)).toEqual(answer);
    expect(shown(schema).safeParse(value('hidden')).success).toBe(false);
    // What was read can be sent back.
    expect(schema.parse(answer)).toEqual(answer);
  });

  it('are not shown in a diff, also inside of what was added as a whole', () => {
    const changed = maskDiff(diffJson(value('old'), value('new')), places);
    expect(changed).toEqual([{ path: 'storage.secret_access_key', before: '••••••', after: '••••••' }]);
    const added = JSON.stringify(maskDiff(diffJson({}, value('hidden')), places));
    expect(added).toContain('eu');
    expect(added).not.toMatch(/hidden|p1/);
  });

  it('are left out with all that tells of them, and the paths of those that were there are told', () => {
    const leftOut: string[] = [];
    const kept = withoutSecrets(
      { ...value('hidden'), bare: [{ url: 'u', token_set: true }] },
      places,
      leftOut,
    );
    expect(kept).toEqual({
      storage: { region: 'eu' },
      list: [{ name: 'a' }, { name: 'b' }],
      bare: [{ url: 'u' }],
    });
    expect(leftOut).toEqual(['storage.secret_access_key', 'list.0.password']);
  });

  it('are put back where they stood', () => {
    const whole = { ...value('hidden'), bare: [{ url: 'u', token: 't' }] };
    expect(putBack(withoutSecrets(whole, places), whole, places)).toEqual(whole);
  });
});

describe('a value that is sent', () => {
  const before = { ...value('mine'), bare: [{ url: 'u', token: 't' }] };
  const kept = (sent: unknown) => keepSecrets(sent, before, places);

  it.each([
    ['absent', {}],
    ['empty', { secret_access_key: '' }],
    ['absent and said to be set', { secret_access_key_set: true }],
  ])('keeps a secret that is %s', (_, sent) => {
    expect(kept({ storage: { region: 'us', ...sent } })).toEqual({
      storage: { region: 'us', secret_access_key: 'mine' },
    });
  });

  it('replaces one, and takes one away', () => {
    expect(kept({ storage: { secret_access_key: 'theirs' } })).toEqual({
      storage: { secret_access_key: 'theirs' },
    });
    expect(kept({ storage: { secret_access_key_set: false } })).toEqual({ storage: {} });
    expect(kept({ storage: 'gone' })).toEqual({ storage: 'gone' });
    expect(kept({})).toEqual({});
  });

  it('keeps those of a list by the names of its items, and none where an item has no identity', () => {
    expect(kept({ list: [{ name: 'b' }, { name: 'c' }, { name: 'a' }] })).toEqual({
      list: [{ name: 'b' }, { name: 'c' }, { name: 'a', password: 'p1' }],
    });
    expect(kept({ bare: [{ url: 'u' }] })).toEqual({ bare: [{ url: 'u' }] });
  });
});
