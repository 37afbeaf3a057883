import { expect, it } from 'vitest';
import { allowOf, attackOf, networkOf } from './logged-attack.ts';

const line = (waf: string, part: string, uri = '/list?q=1') => ({ waf, waf_part: part, request_uri: uri });

it.each([
  [
    line('used_system_rule sql=block', "query.q: 1' or 1=1"),
    { detector: 'sql', path: '/list', parameter: 'q' },
  ],
  [
    line('matcher_rule 3=observe; used_system_rule html=observe', 'user_agent: x; json.a.b: <script>'),
    { detector: 'html', path: '/list', parameter: 'a.b' },
  ],
  [
    line('used_system_rule path=block', 'path: /.git', '/.git/config'),
    { detector: 'path', path: '/.git/config' },
  ],
  [line('used_system_rule sql=block', 'path: x', '/a*b'), { detector: 'sql' }],
  [
    line('used_system_rule known_vulnerability=block', 'path.CVE-2021-41773: /cgi-bin/..', '/cgi-bin/..?a'),
    { detector: 'known_vulnerability', path: '/cgi-bin/..', parameter: 'CVE-2021-41773' },
  ],
  [
    line('used_system_rule leak=observe', 'response.stack_trace: Fatal error', '/a?b'),
    { detector: 'leak', path: '/a', parameter: 'stack_trace' },
  ],
  [
    line('used_system_rule leak=block', 'response.stack_trace: Fatal error; asked: /app/a', '/a?b'),
    { detector: 'leak', path: '/app/a', parameter: 'stack_trace' },
  ],
  [line('used_system_rule leak_unread=observe', ''), undefined],
  [line('used_system_rule unread=observe', ''), undefined],
  [line('matcher_rule 3=block', 'query.q: sql'), undefined],
])('reads %j', (log, attack) => {
  expect(attackOf(log)).toEqual(attack);
});

it.each([
  ['matcher_rule 2', '', { allow_path: '/a', allow_method: 'POST' }],
  ['', 'matcher_rule 3=observe', { allow_path: '/a', allow_method: 'POST' }],
  // Rules of levels are asked before those of the site: one of its own would come too late.
  ['matcher_rule global 2', '', undefined],
  ['', 'matcher_rule 3=tag', undefined],
  ['used_system_rule sql', '', undefined],
])('drafts a rule that lets through what %s %s was about', (decision, waf, rule) => {
  expect(allowOf({ decision, waf, method: 'POST', request_uri: '/a?b=1' })).toEqual(rule);
});

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8::5', '2001:db8::5/64'],
  ['::ffff:203.0.113.77', undefined],
  ['unix:', undefined],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
