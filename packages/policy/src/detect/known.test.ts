import type { KnownRule } from '@breakwater/contract/known-vulnerability';
import { describe, expect, it } from 'vitest';
import { detect, detectContent, worstOf } from './detect.ts';
import { mayBeKnown } from './known.ts';
import { anchorOf, prepareKnown } from './known-rules.ts';
import type { DetectRequest, DetectSettings } from './types.ts';

const rules: KnownRule[] = [
  { id: 'A-PATH', certainty: 'certain', path: '*/plugin/connector.php', conditions: [] },
  { id: 'B-RAW', certainty: 'certain', path: '/console/*/../portal', conditions: [] },
  {
    id: 'C-QUERY',
    certainty: 'certain',
    methods: ['POST'],
    conditions: [{ place: 'query', name: 'class.loader.*' }],
  },
  { id: 'D-HEADER', certainty: 'certain', conditions: [{ place: 'header', name: 'x-internal-request' }] },
  {
    id: 'E-BODY',
    certainty: 'certain',
    path: '/api/setup',
    conditions: [{ place: 'body', value: '*create trigger*' }],
  },
  { id: 'F-LIKELY', certainty: 'likely', path: '/debug-page', conditions: [] },
  {
    id: 'G-COOKIE',
    certainty: 'certain',
    path: '/portal.esp',
    conditions: [{ place: 'cookie', name: 'sessid', value: '*../*' }],
  },
];

const settings = (more: Partial<DetectSettings> = {}): DetectSettings => ({
  modes: { traversal: 'off' },
  exceptions: [],
  fields: [],
  known: prepareKnown(rules),
  ...more,
});
const request = (target: string, more: Partial<DetectRequest> = {}): DetectRequest => ({
  method: 'GET',
  target,
  headers: [],
  body: '',
  ...more,
});
const found = (asked: DetectRequest, more: Partial<DetectSettings> = {}) =>
  worstOf(detect(asked, settings(more)))?.part;

describe('a rule for a known vulnerability', () => {
  it.each([
    ['/plugin/connector.php', 'A-PATH'],
    ['/blog/plugin/connector.php', 'A-PATH'],
    ['/blog/PLUGIN/Connector.PHP?a=b', 'A-PATH'],
    ['/blog//plugin/./connector.php', 'A-PATH'],
    ['/blog/plugin/x/../connector.php', 'A-PATH'],
    ['/plugin;v=1/connector.php;jsessionid=2', 'A-PATH'],
    ['/%70lugin/%2563onnector.php', 'A-PATH'],
    ['/plugin\\connector.php', 'A-PATH'],
    ['/plugin/connector.phps', undefined],
    ['/plugin/other.php?q=/plugin/connector.php', undefined],
    ['/console/css/%252e%252e%252fportal', 'B-RAW'],
    ['/console/portal', undefined],
    ['/debug-page', 'F-LIKELY'],
  ])('is told by the path of %s', (target, id) => {
    expect(found(request(target))).toBe(id);
  });

  it('has all of its conditions', () => {
    const target = '/any?x=1&class.Loader.first=1';
    expect(found(request(target))).toBeUndefined();
    expect(found(request(target, { method: 'POST' }))).toBe('C-QUERY');
    const cookie = (value: string) => request('/portal.esp', { headers: [{ name: 'Cookie', value }] });
    expect(found(cookie('a=b; SESSID=/../a'))).toBe('G-COOKIE');
    expect(found(cookie('a=/../b; SESSID=a'))).toBeUndefined();
  });

  it('may be told by a header alone, with any target', () => {
    const headers = [{ name: 'X-Internal-Request', value: '1' }];
    expect(found(request('/', { headers }))).toBe('D-HEADER');
    expect(found(request('/', { headers: [{ name: 'constructor', value: '1' }] }))).toBeUndefined();
  });

  it('may ask for what a request carries, and is asked with it', () => {
    const asked = request('/api/setup', { method: 'POST', body: '{"db":"CREATE TRIGGER x"}' });
    expect(found(asked)).toBe('E-BODY');
    expect(worstOf(detectContent(asked, settings()))?.part).toBe('E-BODY');
    const form = { ...asked, body: 'db=create+trigger' };
    expect(found(form)).toBe('E-BODY');
    expect(found({ ...asked, body: '{}' })).toBeUndefined();
    // What the head tells was judged with the head.
    expect(
      worstOf(detectContent(request('/plugin/connector.php', { body: 'a' }), settings())),
    ).toBeUndefined();
  });

  it('blocks by its mode and its certainty, and has exceptions by its name', () => {
    const action = (target: string, more: Partial<DetectSettings> = {}) =>
      detect(request(target), settings(more)).action;
    const mode = (known_vulnerability: 'off' | 'observe' | 'strict') => ({
      modes: { traversal: 'off' as const, known_vulnerability },
    });
    expect(action('/plugin/connector.php')).toBe('block');
    expect(action('/plugin/connector.php', mode('observe'))).toBe('observe');
    expect(action('/plugin/connector.php', mode('off'))).toBe('pass');
    expect(action('/debug-page')).toBe('observe');
    expect(action('/debug-page', mode('strict'))).toBe('block');
    const exceptions = (parameter: string) => ({
      exceptions: [{ detector: 'known_vulnerability' as const, parameter }],
    });
    expect(action('/plugin/connector.php', exceptions('A-PATH'))).toBe('pass');
    expect(action('/plugin/connector.php', exceptions('B-RAW'))).toBe('block');
  });
});

it('most targets are known to be of no rule', () => {
  const known = prepareKnown(rules);
  for (let time = 0; time < 2; time++) {
    expect(mayBeKnown(known, '/index.html?a=b')).toBe(false);
    expect(mayBeKnown(known, '/a/plugin/%2563onnector.php')).toBe(true);
  }
});

it('a rule that nothing tells apart is left out', () => {
  const broad = (rule: Partial<KnownRule>) =>
    anchorOf({ id: 'BROAD', certainty: 'certain', conditions: [], ...rule });
  expect(broad({ path: '/*' })).toBeUndefined();
  expect(broad({ conditions: [{ place: 'header', name: 'user-agent', value: 'x' }] })).toBeUndefined();
  expect(broad({ conditions: [{ place: 'body', value: '*something*' }] })).toBeUndefined();
  expect(broad({ path: '/a/*/longer.php' })).toEqual({ text: 'longer.php' });
  expect(prepareKnown([{ id: 'BROAD', certainty: 'certain', path: '/*', conditions: [] }]).rules).toEqual([]);
});
