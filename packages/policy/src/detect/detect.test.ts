import { describe, expect, it } from 'vitest';
import { readingsOf } from './decode.ts';
import { detect } from './detect.ts';
import { extract } from './extract.ts';
import { bytesOf } from './marks.ts';
import type { DetectRequest, DetectSettings } from './types.ts';

const settings: DetectSettings = { modes: {}, exceptions: [], fields: [] };

function get(target: string): DetectRequest {
  return { method: 'GET', target, headers: [], body: '' };
}

function post(type: string, body: string): DetectRequest {
  return { method: 'POST', target: '/save', headers: [{ name: 'Content-Type', value: type }], body };
}

/** Parts as `place name=value`, names of parts as `place name`. */
function partsOf(request: DetectRequest): string[] {
  return extract(request).parts.map(({ place, name, value, isName }) =>
    isName ? `${place} ${name}` : `${place} ${name}=${value}`,
  );
}

describe('parts of a request', () => {
  it('are its path, fields, cookies, referrer and headers', () => {
    const request = get('/a/b?x=1%202&x=3&y[k]=4');
    request.headers = [
      { name: 'Cookie', value: 'c=5; d=%36' },
      { name: 'Referer', value: 'https://a.example/r?s=7' },
      { name: 'X-A', value: '8' },
    ];
    expect(partsOf(request)).toEqual([
      'path =/a/b',
      'query x=1 2',
      'query x=3',
      'query y[k]=4',
      'query y[k]',
      'query x=1 2,3',
      'cookie c=5',
      'cookie d=%36',
      'referer =/r',
      'referer s=7',
      'header x-a=8',
    ]);
  });

  it('are the texts and odd names of JSON, whatever its type', () => {
    const body = '{"a":{"b":["x","\\u0041\\n"],"$c":true},"d":4,"e":""}';
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded'])
      expect(partsOf(post(type, body)).slice(2)).toEqual(['json a.b=x', 'json a.b=A\n', 'json a.$c']);
  });

  it('are the texts and attributes of XML', () => {
    const parts = partsOf(post('application/octet-stream', '<a b="1&amp;2"><c>3</c><![CDATA[4]]></a>'));
    expect(parts.slice(3)).toEqual(['xml a@b=1&2', 'xml a.c=3', 'xml a=4']);
  });

  it('are the fields, file names and beginnings of files of a multipart body', () => {
    const body =
      '--q\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--q\r\nContent-Disposition: form-data; name="f"; filename="x.png"\r\n\r\nPNG\r\n--q--\r\n';
    const parts = partsOf(post('multipart/form-data; boundary="q"', body));
    expect(parts.slice(2)).toEqual(['form a', 'form a=1', 'form f', 'file_name f=x.png', 'file f=PNG']);
  });

  it('of an unknown type are not read as a form', () => {
    expect(partsOf(post('text/plain', 'a=1&b=2')).at(-1)).toBe('body =a=1&b=2');
  });

  it('are limited, and it is said so', () => {
    const { parts, capped } = extract(get(`/?${'a=1&'.repeat(3000)}`));
    expect([parts.length, capped]).toEqual([2000, ['parts']]);
  });
});

describe('decodings', () => {
  const readings = (text: string) =>
    readingsOf(text, bytesOf(text), { bytes: 1e6, isCapped: false }).map((each) =>
      `${each.text} ${each.steps.join(' ')}`.trim(),
    );

  it.each([
    ['%2527', '%27 percent', "' percent percent"],
    ['%u003c', '< percent'],
    ['&#x3c;&lpar;', '<( entities'],
    ['\\x3c\\u{3c}\\74', '<<< escapes'],
    ['\xc0\xaf\xef\xbc\x9c', '/< wide'],
    ['+ADw-', '< utf7'],
    ['PHNjcmlwdD4=', '<script> base64'],
    ['a\0b', 'ab nul'],
  ])('of %s', (text, ...wanted) => {
    for (const each of wanted) expect(readings(text)).toContain(each);
  });

  it('end', () => {
    const budget = { bytes: 1e6, isCapped: false };
    const text = '%25'.repeat(40) + '&amp;'.repeat(40) + '\\x25'.repeat(40) + '+ADw-';
    expect(readingsOf(text, bytesOf(text), budget)).toHaveLength(12);
    expect(budget.isCapped).toBe(true);
  });
});

const attack = get("/shop/list?q=1'+or+'1'='1");

describe('settings', () => {
  it.each([
    ['default', 'block'],
    ['strict', 'block'],
    ['observe', 'observe'],
    ['off', 'pass'],
  ] as const)('in mode %s an attack gives: %s', (mode, action) => {
    expect(detect(attack, { ...settings, modes: { sql: mode } }).action).toBe(action);
    expect(detect(attack, settings).action).toBe('block');
  });

  it('block in strict what is only watched else', () => {
    const request = get('/?q=select+name+from+orders+where+id=3');
    expect([
      detect(request, settings).action,
      detect(request, { ...settings, modes: { sql: 'strict' } }).action,
    ]).toEqual(['observe', 'block']);
  });

  it.each([
    [{ path: '/shop/*', detector: 'sql' }, 'pass'],
    [{ path: '/shop/list' }, 'pass'],
    [{ path: '/shop/l*' }, 'pass'],
    [{ detector: 'sql', until: 1001 }, 'pass'],
    [{ detector: 'sql', until: 1000 }, 'block'],
    [{ parameter: 'q', detector: 'sql' }, 'pass'],
    [{ detector: 'sql' }, 'pass'],
    [{ path: '/other/*' }, 'block'],
    [{ parameter: 'r' }, 'block'],
    [{ parameter: 'q', detector: 'html' }, 'block'],
    [{}, 'block'],
  ] as const)('with the exception %j: %s', (exception, action) => {
    const request = { ...attack, time: 1000 };
    expect(detect(request, { ...settings, exceptions: [exception] }).action).toBe(action);
  });

  it('know what a field is for', () => {
    const of = (type: DetectSettings['fields'][number]['type'], text: string) =>
      detect(get(`/?q=${encodeURIComponent(text)}`), { ...settings, fields: [{ parameter: 'q', type }] })
        .action;
    expect([of('code', 'alert(1);x'), of('code', '<?php system($_GET[1]);')]).toEqual(['pass', 'block']);
    expect([
      of('rich_text', '<iframe src=//a.example>'),
      of('rich_text', '<img src=x onerror=alert(1)>'),
    ]).toEqual(['pass', 'block']);
    expect([of('search', 'select a from b'), of('search', "' or 1=1--")]).toEqual(['pass', 'block']);
    expect(of('opaque', "' or 1=1--")).toBe('pass');
  });
});

describe('a finding', () => {
  it('says where, how and by which decodings', () => {
    const { score, findings } = detect(get('/?a=b&q=%2527%2520or%25201%253D1--'), settings);
    expect(findings).toEqual([
      {
        detector: 'sql',
        group: 'sql',
        place: 'query',
        part: 'q',
        offset: 2,
        score,
        why: 'logic with a comparison of two constants',
        steps: ['url', 'percent'],
        excerpt: "' or 1=1--",
        blocks: true,
      },
    ]);
  });

  it('lies behind any padding', () => {
    const padding = 'a'.repeat(300_000);
    const { findings } = detect(
      post('application/x-www-form-urlencoded', `q=${padding}<script>alert(1)</script>`),
      settings,
    );
    expect(findings[0]).toMatchObject({ detector: 'html', offset: padding.length, score: 8 });
  });
});

describe('a megabyte', () => {
  const form = (value: string) => post('application/x-www-form-urlencoded', `q=${encodeURIComponent(value)}`);
  const json = (value: string) => post('application/json', value);
  const xml = (value: string) => post('text/xml', `<a>${value}`);

  it.each([
    ["'", form],
    ["' or 1=", form],
    ['(select ', form],
    ['<a ', form],
    ['%2525', form],
    ['../', form],
    [';cat ', form],
    ['${', form],
    ['&#x', form],
    ['[', json],
    ['"\\u0041",', json],
    ['<a b="', xml],
    ['<!ENTITY', xml],
  ] as const)('of %s comes to an end', { timeout: 30_000 }, (piece, request) => {
    const { score } = detect(request(piece.repeat(1_000_000 / piece.length)), settings);
    expect(score).toBeLessThanOrEqual(10);
  });
});
