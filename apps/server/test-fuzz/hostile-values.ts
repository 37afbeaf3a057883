/** What nobody should send, by what a field expects. */

/** JSON that no value stands for: written into a body as it is. */
const raw = (json: string): string => `@@${json}@@`;

/** A body's text: JSON, with what `raw` made written as it is. */
export const toJson = (value: unknown): string =>
  (JSON.stringify(value) ?? '').replace(/"@@(.*?)@@"/g, (_, json: string) =>
    json.replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
  );

const nested = (levels: number) => raw('['.repeat(levels) + ']'.repeat(levels));

/** Bounds of what stores hold: int4, exact integers of doubles, doubles. `1e999` is read as infinite. */
const numbers = [0, -1, 1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e308, -1e308];

const texts = [
  '',
  ' ',
  '\ud800',
  'a\udc00b',
  'a\0b',
  'x'.repeat(5000),
  '\u202e\u05d0\u0628',
  '😀𠀀',
  '__proto__',
  'constructor',
  `'"\\%_;--\r\n{}`,
  '2147483648',
];

const times = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '1969-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '10000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-02-29T00:00:00Z',
  '2026-01-01T00:00:00.123456789Z',
  '2026-01-01T24:00:00Z',
];

/** Of another type than anything expects. */
const wrongTypes = [null, true, {}, [], [[]], raw('{"__proto__":{"a":1}}'), nested(10_000)];

export type Expected = 'number' | 'text' | 'time' | 'other';

/** For a field of a body. */
export function hostileJson(expected: Expected): unknown[] {
  const own = {
    number: [...numbers, raw('1e999'), '1'],
    text: [...texts, 1],
    time: [...times, '', '\ud800', 1],
  };
  return [...(expected === 'other' ? ['', '\ud800', 0] : own[expected]), ...wrongTypes];
}

/** What no text becomes by percent-encoding: bytes that are no UTF-8, half an escape, a surrogate in UTF-8, NUL. */
export const brokenEscapes = ['%FF', '%', '%zz', '%ED%A0%80', '%C0%80', '%00', 'a%2', '+'];

/** For a field of a query or a path, percent-encoded. */
export function hostileEncoded(expected: Expected): string[] {
  const own = {
    number: [...numbers.map(String), 'NaN', 'Infinity', '0x10', '1e3', '1,2', ''],
    text: texts.filter((text) => text.isWellFormed()),
    time: [...times, ''],
    other: ['', 'x'],
  }[expected];
  return [...own, '__proto__', 'constructor', 'toString', '2147483648,1'].map(encodeURIComponent);
}

/** Whole bodies, under the content type they are said to be. */
export const hostileBodies: [contentType: string, body: string][] = [
  ['application/json', ''],
  ['application/json', '{'],
  ['application/json', '{"a":"\\ud8'],
  ['application/json', 'null'],
  ['application/json', '[]'],
  ['application/json', '"\\ud800"'],
  ['application/json', 'NaN'],
  ['application/json', '\ufeff{}'],
  ['application/json', '{"__proto__":{"admin":true}}'],
  ['application/json', '{"constructor":{"prototype":{"admin":true}}}'],
  ['application/json', '{"\\ud800":1,"a\\u0000":2}'],
  ['application/json', '['.repeat(30_000)],
  ['application/json', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['application/json', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
  ['application/json; charset=utf-16', '{}'],
  ['application/json;', '{}'],
  ['application/x-www-form-urlencoded', 'a=b'],
  ['multipart/form-data; boundary=x', '--x--'],
  ['multipart/form-data', '--x--'],
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nbroken off'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n--x--',
  ],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="../../a\0"\r\n\r\n{}\r\n--x--',
  ],
  ['text/plain', '{}'],
  ['application/gzip', '{}'],
  ['application/octet-stream', '\0'],
  ['/', '{}'],
  ['x'.repeat(2000), '{}'],
];
