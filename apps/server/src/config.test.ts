import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      adminPort: 8090,
      userPort: 8080,
      localEdge: true,
      roles: ['admin', 'user', 'node', 'worker'],
    });
  });

  it('takes an empty value for an unset one', () => {
    expect(readConfig({ DATABASE_URL: '', ADMIN_PORT: '' })).toMatchObject({
      databaseUrl: undefined,
      adminPort: 8090,
    });
  });

  it('names every variable that is wrong, at once', () => {
    const wrong = {
      ADMIN_PORT: 'x',
      USER_PORT: '70000',
      DATABASE_URL: 'mysql://a',
      LOG_STORE_URL: 'http://127.0.0.1:9200/Logs',
      BREAKWATER_ROLES: 'admin,king',
      LOCAL_EDGE: 'yes',
    };
    expect(() => readConfig(wrong)).toThrow(
      /DATABASE_URL:.*\n.*LOG_STORE_URL:.*\n.*ADMIN_PORT:.*\n.*USER_PORT:.*\n.*BREAKWATER_ROLES:.*\n.*LOCAL_EDGE:/,
    );
  });
});
