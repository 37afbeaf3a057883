import { expect, it } from 'vitest';
import { attackOf } from './logged-attack.ts';

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
  [line('used_system_rule unread=observe', ''), undefined],
  [line('matcher_rule 3=block', 'query.q: sql'), undefined],
])('reads %j', (log, attack) => {
  expect(attackOf(log)).toEqual(attack);
});
