import type { Site } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { denialOf, siteActions, type SiteAction } from './capabilities.ts';

const site = (more: Partial<Site>) =>
  ({ status: 'online', status_reason: 'none', removing_since: null, ...more }) as Site;
const may = Object.fromEntries(siteActions.map((action) => [action, true])) as Record<SiteAction, boolean>;
const operator = { admin: true, may };
const customer = { admin: false, may };
const table = (of: Site, who: typeof operator) =>
  Object.fromEntries(siteActions.map((action) => [action, denialOf(action, of, who) ?? 'yes']));

describe('what can be done with a site', () => {
  it('is for a customer to put it online and offline, and to delete it', () => {
    const none = { suspend: 'absent', resync: 'absent', forceRemove: 'absent' };
    expect(table(site({}), customer)).toEqual({
      online: 'absent',
      offline: 'yes',
      refresh: 'yes',
      remove: 'yes',
      ...none,
    });
    const offline = site({ status: 'offline' });
    expect(table(offline, customer)).toEqual({
      online: 'yes',
      offline: 'absent',
      refresh: 'yes',
      remove: 'yes',
      ...none,
    });
  });

  it('is not for a customer to end a suspension or to skip a check', () => {
    const suspended = site({ status: 'suspended', status_reason: 'operator' });
    expect(denialOf('online', suspended, customer)).toBe('noPermission');
    expect(denialOf('online', suspended, operator)).toBeUndefined();
    for (const status of ['checking', 'check_failed'] as const) {
      expect(denialOf('online', site({ status }), customer)).toBe('awaitingProof');
      expect(denialOf('online', site({ status }), operator)).toBeUndefined();
      expect(denialOf('offline', site({ status }), customer)).toBeUndefined();
    }
  });

  it('waits for the cause of a suspension to end', () => {
    const expired = site({ status: 'suspended', status_reason: 'order_expired' });
    expect(denialOf('online', expired, operator)).toBe('causeStands');
  });

  it('is only to force its end, once it is being deleted', () => {
    const removing = site({ removing_since: '2026-01-01T00:00:00.000Z' });
    expect(table(removing, operator)).toEqual({
      online: 'absent',
      offline: 'removingReason',
      suspend: 'removingReason',
      refresh: 'removingReason',
      resync: 'removingReason',
      remove: 'removingReason',
      forceRemove: 'yes',
    });
  });

  it('needs the permission', () => {
    const reader = { admin: true, may: { ...may, forceRemove: false, offline: false } };
    expect(denialOf('offline', site({}), reader)).toBe('noPermission');
    expect(denialOf('forceRemove', site({}), reader)).toBe('noPermission');
  });
});
