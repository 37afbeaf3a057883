import { describe, expect, it } from 'vitest';
import { randomFrom } from '../lib/test-random.ts';
import { detect, detectWith } from './detect.ts';
import type { DetectRequest, DetectSettings } from './types.ts';

const settings: DetectSettings = { modes: {}, exceptions: [], fields: [] };

/** Pieces that attacks are made of, and prose, in any order: most of what comes out is nonsense at the edge of the grammars. */
const pieces = [
  "'",
  '"',
  ' or ',
  ' and ',
  '1=1',
  'union select ',
  'null,',
  '--',
  '#',
  '/*',
  '*/',
  ';',
  'drop table x',
  '(select 1)',
  'sleep(5)',
  '@@version',
  'order by 3',
  '<',
  '>',
  'script',
  'img src=x ',
  'onerror=',
  'alert(1)',
  'javascript:',
  '&#x3c;',
  'svg/',
  'self',
  "['a'+'b']",
  '(1)',
  '[]',
  '![]+',
  'constructor',
  '.prototype',
  '`',
  '|',
  '&&',
  '$(',
  ')',
  'id',
  'cat ',
  '/etc/passwd',
  '${IFS}',
  'whoami',
  '\n',
  '../',
  '..\\',
  '%00',
  '%2e%2e%2f',
  'php://',
  'file:///',
  '.php',
  '<?php ',
  '$_GET[a]',
  '{{',
  '}}',
  '7*7',
  '${',
  '}',
  '__class__',
  'java.lang.Runtime',
  'jndi:',
  'ldap://a',
  '<!ENTITY a SYSTEM "b">',
  '$ne',
  '{"',
  '":',
  '*)(uid=*',
  'O:4:"a"',
  'rO0AB',
  '169.254.169.254',
  'http://',
  '\r\nSet-Cookie: a',
  'hello',
  'world',
  ' ',
  '=',
  '%27',
  '%3c',
  '\\u0027',
  '\\x3c',
  '\0',
  'é',
  ',',
  '0x41',
  '\xa0',
  '+',
];

/** What a value is remembered by must not hide another that only looks the same. */
const places = 9;

function requestOf(text: string, place: number): DetectRequest {
  const escaped = Buffer.from(text, 'latin1').toString('hex').replaceAll(/../g, '%$&');
  const request = { method: 'POST', target: '/', headers: [], body: '' };
  if (place === 0) return { ...request, target: `/a?b=${escaped}` };
  if (place === 1) return { ...request, target: `/${escaped}` };
  if (place === 6) return { ...request, target: `/a?b=${escaped}&c=1&b=${escaped.slice(0, 30)}&b=x` };
  if (place === 7)
    return { ...request, headers: [{ name: 'Referer', value: `https://a.example/?b=${escaped}` }] };
  if (place === 8) return { ...request, headers: [{ name: 'User-Agent', value: text }] };
  const typed = (type: string, body: string) => ({
    ...request,
    headers: [{ name: 'Content-Type', value: type }],
    body,
  });
  if (place === 2) return typed('application/json', JSON.stringify({ [text.slice(0, 9)]: text }));
  if (place === 3) return typed('text/xml', `<a b="1">${text}</a>`);
  if (place === 4)
    return {
      ...request,
      headers: [
        { name: 'Cookie', value: `a=${escaped}` },
        { name: 'X-A', value: text },
      ],
    };
  return typed(
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="f"; filename="${text}"\r\n\r\n${text}\r\n--b--`,
  );
}

describe('detectors', () => {
  it('find the same without their gates', () => {
    const random = randomFrom(18);
    let found = 0;
    for (let count = 0; count < 2700; count++) {
      let text = '';
      for (let more = 1 + random() * 7; more > 0; more--)
        text += pieces[Math.floor(random() * pieces.length)]!;
      const request = requestOf(text, count % places);
      const whole = detectWith(request, settings, false);
      const gated = detect(request, settings);
      expect({ text, ...gated }).toEqual({ text, ...whole });
      // What is remembered by now says no less.
      expect({ text, ...detect(request, settings) }).toEqual({ text, ...whole });
      if (gated.score > 0) found += 1;
    }
    expect(found).toBeGreaterThan(500);
  });
});

describe('ordinary requests', () => {
  it('are judged the same when all of them was seen before', () => {
    const random = randomFrom(4);
    const words = [
      'a',
      'order',
      'select',
      'union',
      '12',
      'x-y',
      'true',
      'é',
      "o'b",
      'a:b',
      'id=1',
      '%41',
      'YWJjZGVmZ2g',
    ];
    const word = () => words[Math.floor(random() * words.length)]!;
    for (let count = 0; count < 1500; count++) {
      const request: DetectRequest = {
        method: 'GET',
        target: `/${word()}/${word()}?${word()}=${word()}&${word()}=${word()}+${word()}&${word()}`,
        headers: [
          { name: 'Cookie', value: `${word()}=${word()}; ${word()}=${word()}` },
          { name: word(), value: `${word()} ${word()}` },
        ],
        body: '',
      };
      const whole = detectWith(request, settings, false);
      for (let again = 0; again < 2; again++)
        expect({ request, ...detect(request, settings) }).toEqual({ request, ...whole });
    }
  });
});
