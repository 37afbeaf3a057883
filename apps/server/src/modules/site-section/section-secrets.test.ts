import { describe, expect, it } from 'vitest';
import { keepSecrets, maskDiff, secretPlaces, withoutSecrets } from './section-secrets.ts';
import { diffJson } from '../../json-diff.ts';

const section = (secret: string | undefined) => ({
  storage: {
    region: 'eu',
    access_key_id: 'AKID',
    ...(secret === undefined ? {} : { secret_access_key: secret }),
  },
  list: [{ name: 'a', password: 'p1' }],
  secret_set: true,
});

const places = secretPlaces(['storage.secret_access_key', 'list.password']);

describe('secrets of a configuration', () => {
  it('are not shown in a diff, also inside of what was added as a whole', () => {
    const changed = maskDiff(diffJson(section('old'), section('new')), places);
    expect(changed).toEqual([{ path: 'storage.secret_access_key', before: '••••••', after: '••••••' }]);
    const added = JSON.stringify(maskDiff(diffJson({}, section('hidden')), places));
    expect(added).toContain('AKID');
    expect(added).not.toMatch(/hidden|p1/);
  });

  it('are left out, and the paths of those that were there are told', () => {
    const leftOut: string[] = [];
    const kept = JSON.stringify(withoutSecrets(section('hidden'), places, leftOut));
    expect(kept).not.toMatch(/hidden|p1/);
    expect(kept).toContain('secret_set');
    expect(leftOut).toEqual(['storage.secret_access_key', 'list.0.password']);
  });

  it('of a site stay where a value from elsewhere has none, and go where it has its own', () => {
    expect(keepSecrets(withoutSecrets(section('theirs'), places), section('mine'), places)).toEqual(
      section('mine'),
    );
    expect(keepSecrets(section('theirs'), section('mine'), places)).toEqual(section('theirs'));
    expect(keepSecrets({ storage: 'gone' }, section('mine'), places)).toEqual({ storage: 'gone' });
  });
});
