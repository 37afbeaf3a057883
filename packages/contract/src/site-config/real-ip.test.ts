import { describe, expect, it } from 'vitest';
import { realIp } from './real-ip.ts';
import { untrustedFields } from './visitor-fields.ts';

const problemOf = (name: string) => {
  const [issue] = realIp.safeParse({ pass_headers: [name] }).error?.issues ?? [];
  return issue && [issue.path.join('.'), issue.message];
};

describe('headers that are passed through', () => {
  it.each(untrustedFields)('%s can be', (name) => expect(problemOf(name)).toBeUndefined());

  it('are kept in lower case', () => {
    expect(realIp.parse({ pass_headers: [' X-HTTP-Method-Override '] }).pass_headers).toEqual([
      'x-http-method-override',
    ]);
  });

  it.each([
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Real-IP',
    'X-Request-Id',
    'X-Client-Verify',
    'X-Client-Subject',
    'Forwarded',
    'Proxy',
    'X-Breakwater-Key',
    'X-Accel-Redirect',
  ])('%s is the node’s to say', (name) => {
    expect(problemOf(name)).toEqual(['pass_headers.0', 'field_of_edge']);
  });

  it.each(['Connection', 'Transfer-Encoding', 'Host', 'TE', 'Proxy-Authorization', 'Upgrade'])(
    '%s frames the message',
    (name) => expect(problemOf(name)).toEqual(['pass_headers.0', 'field_framing']),
  );

  it.each([
    ['X-Own', 'field_not_removed'],
    ['constructor', 'field_not_removed'],
    ['True_Client_IP', 'header_name'],
    ['True-Client-IP\r\nX: 1', 'header_name'],
    ['', 'header_name'],
  ])('%j is refused', (name, message) => expect(problemOf(name)).toEqual(['pass_headers.0', message]));

  it('are twenty at most', () => {
    const names = untrustedFields.slice(0, 21);
    expect(realIp.safeParse({ pass_headers: names }).success).toBe(false);
    expect(realIp.safeParse({ pass_headers: names.slice(1) }).success).toBe(true);
  });
});

describe('a provider whose networks are not built in', () => {
  const problems = (value: object) =>
    realIp.safeParse(value).error?.issues.map(({ path, message }) => [path.join('.'), message]);

  it('needs a list of its addresses', () => {
    const config = { mode: 'cdn', preset: 'cloudfront' };
    expect(problems(config)).toEqual([['address_lists', 'required']]);
    expect(problems({ ...config, address_lists: [7] })).toBeUndefined();
    expect(problems({ ...config, preset: 'cloudflare' })).toBeUndefined();
    expect(problems({ ...config, mode: 'socket' })).toBeUndefined();
  });
});
