import { adminPermissions, describeMenu, type Holder } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { findEntries, highlight, indexMenu } from './search-index.ts';

const owner: Holder = { role: 'admin', permissions: new Set(adminPermissions) };
const entries = indexMenu(describeMenu(owner, 'en'));

describe('the search among menu entries', () => {
  it('finds by title and by path, whatever the case', () => {
    expect(findEntries(entries, 'CERTIF').map(({ title }) => title)).toEqual([
      'Certificates',
      'Certificate orders',
      'Certificate accounts',
    ]);
    expect(findEntries(entries, 'Sys_HTTP').map(({ title }) => title)).toEqual(['Operation log']);
  });

  it('names the group of an entry', () => {
    expect(findEntries(entries, 'access logs')[0]?.group).toBe('Overview · Statistics');
  });

  it('finds nothing for nothing', () => {
    expect(findEntries(entries, '  ')).toEqual([]);
    expect(findEntries(entries, 'no such entry')).toEqual([]);
  });
});

describe('highlighting', () => {
  it('marks every match and loses no letter', () => {
    const parts = highlight('Sites and more sites', 'SITE');
    expect(parts.filter(({ match }) => match).map(({ text }) => text)).toEqual(['Site', 'site']);
    expect(parts.map(({ text }) => text).join('')).toBe('Sites and more sites');
  });
});
