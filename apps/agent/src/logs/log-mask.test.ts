import { expect, test } from 'vitest';
import { maskerOf } from './log-mask.ts';

const line = (fields: object) => `${JSON.stringify(fields)}\n`;
const masked = (text: string, names = ['token', 'api_key', 'a[b]']) =>
  maskerOf(names)(Buffer.from(text)).toString();

const cases: [string, string, string][] = [
  ['the first argument', '/a?token=secret', '/a?token=******'],
  ['one of several', '/a?x=1&token=secret&y=2', '/a?x=1&token=******&y=2'],
  ['several', '/a?token=ab&api_key=cde', '/a?token=**&api_key=***'],
  ['capital letters', '/a?Token=ab', '/a?Token=**'],
  ['special characters in a name', '/a?a[b]=cd', '/a?a[b]=**'],
  ['no value', '/a?token=&x=1', '/a?token=&x=1'],
  ['another name that ends alike', '/a?mytoken=ab&tokens=cd', '/a?mytoken=ab&tokens=cd'],
  ['a path', '/token=ab', '/token=ab'],
  ['a fragment of a referer', 'https://a.example/?token=ab#token=cd', 'https://a.example/?token=**#token=cd'],
];
test.each(cases)('%s', (_, before, after) => {
  expect(masked(line({ request_uri: before, referer: before }))).toBe(
    line({ request_uri: after, referer: after }),
  );
});

test('a line is as long as it was and still JSON, whatever a visitor sent', () => {
  const nasty = [
    '/a?token=a"b\\c',
    '/a?token=a\u0000b&x=1',
    '/a?token=中文',
    '/a?token=\\',
    '/a?token="',
    `/a?token=${'x'.repeat(5000)}`,
  ];
  for (const request_uri of nasty) {
    const text = line({ request_uri, referer: '', status: 200 });
    const result = masked(text);
    expect(Buffer.byteLength(result)).toBe(Buffer.byteLength(text));
    const parsed = JSON.parse(result) as { request_uri: string; status: number };
    expect(parsed.status).toBe(200);
    expect(parsed.request_uri).toMatch(/^\/a\?token=\*+(?:&x=1)?$/);
  }
});

test('bytes that are no UTF-8 stay what they are; without names nothing is read', () => {
  const bytes = Buffer.from([0x22, 0xff, 0x22, 0x0a]);
  expect(maskerOf(['token'])(bytes)).toEqual(bytes);
  expect(maskerOf([])(bytes)).toBe(bytes);
});
