import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { edgeSystemRule } from '@breakwater/contract/site-config/used-system-rule';
import { describe, expect, it } from 'vitest';
import { judgeLeaks, leaksIn, type Leak } from './leak.ts';
import { leakTypeOf, type LeakAnswer } from './leak-text.ts';
import { leakRulesOf, systemRuleModeOf, systemRulesOf } from './settings.ts';
import type { LeakSettings } from './types.ts';

interface Case {
  about: string;
  input: { type?: string; path?: string; status?: number; body: string[] };
  expect: { found: string };
}
const file = new URL('../../vectors/leak.json', import.meta.url);
const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[];

const answerOf = ({
  type: stated,
  path = '/',
  status = 200,
  body,
}: Case['input']): LeakAnswer | undefined => {
  const type = leakTypeOf(stated, path);
  return type && { type, path, status, text: body.join(''), isWhole: true };
};
const worst = (found: Leak[]): number => Math.max(0, ...found.map(({ score }) => score));
const scoreOf = (answer: LeakAnswer | undefined): number =>
  answer === undefined ? 0 : worst(leaksIn(answer));

describe('what is blocked', () => {
  const blocked = cases.filter(({ input }) => scoreOf(answerOf(input)) >= 5);

  it.each(blocked)(
    '$about, with other ends of lines, blanks and a byte order mark before it',
    ({ input }) => {
      const answer = answerOf(input)!;
      if (answer.text.startsWith('DIRC') || answer.text.startsWith('SQLite')) return;
      const isAtBeginning = !answer.text.startsWith(';');
      expect(scoreOf({ ...answer, text: answer.text.replaceAll(/\r?\n/g, '\r\n') })).toBeGreaterThanOrEqual(
        5,
      );
      if (isAtBeginning)
        expect(scoreOf({ ...answer, text: `\xef\xbb\xbf${answer.text}` })).toBeGreaterThanOrEqual(5);
      if (isAtBeginning) expect(scoreOf({ ...answer, text: `\n\n${answer.text}` })).toBeGreaterThanOrEqual(5);
    },
  );

  it.each(blocked)('$about, within <pre> or a fence of a page that is no failure, is not', ({ input }) => {
    const answer = answerOf(input)!;
    const prose = '<p>This page is about such things, and shows one.</p>\n'.repeat(60);
    const shown = `<!doctype html>${prose}<pre>${answer.text.replaceAll('<', '&lt;')}</pre>`;
    const page: LeakAnswer = { ...answer, type: 'html', path: '/blog', status: 200, text: shown };
    expect(scoreOf(page)).toBeLessThan(5);
    expect(
      scoreOf({ ...page, type: 'plain', text: `# About\n\n${prose}\n\`\`\`\n${answer.text}\n\`\`\`\n` }),
    ).toBeLessThan(5);
    expect(scoreOf({ ...page, type: 'json', text: JSON.stringify({ html: shown }) })).toBeLessThan(5);
  });

  it.each(blocked)(
    '$about, is not where a visitor may have written it among what others did',
    ({ input }) => {
      const { text } = answerOf(input)!;
      const others = Array.from({ length: 40 }, (_, id) => ({
        id,
        author: 'somebody',
        text: 'What others wrote.',
      }));
      const list = [...others, { id: 40, author: 'a stranger', text }, ...others];
      const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      // As sites do that take some markup.
      const marked = plain.replaceAll(/&lt;(\/?(?:b|br|code) ?\/?>)/g, '<$1');
      const page = (written: string) =>
        `<!doctype html><title>Comments</title>${others.map((each) => `<p>${each.text}</p>`).join('\n')}<p>${written}</p>\n<p>What others wrote after that, and a footer below it.</p>\n</html>`;
      const shared: Pick<LeakAnswer, 'path' | 'status' | 'isWhole'> = {
        path: '/comments',
        status: 200,
        isWhole: true,
      };
      for (const answer of [
        { ...shared, type: 'json', text: JSON.stringify(list) },
        { ...shared, type: 'json', text: JSON.stringify(list, null, 2) },
        { ...shared, type: 'xml', text: `<?xml version="1.0"?><rss>${page(plain)}</rss>` },
        { ...shared, type: 'html', text: page(plain) },
        { ...shared, type: 'html', text: page(marked) },
      ] satisfies LeakAnswer[])
        expect(scoreOf(answer)).toBeLessThan(5);
    },
  );

  it('shows nothing of what is secret in the log', () => {
    for (const { input } of cases) {
      const answer = answerOf(input);
      if (answer === undefined) continue;
      for (const { kind, shown } of leaksIn(answer)) {
        if (kind === 'credential') expect(shown).toMatch(/^[a-zA-Z_-]{4,8}\*{3}$/);
        if (kind === 'private_key') expect(shown).toMatch(/^-----BEGIN [A-Z ]*PRIVATE KEY-----$/);
        if (kind === 'config_file') expect(shown).not.toMatch(/9fK2|q8Zr|horse/);
        expect(shown.length).toBeLessThanOrEqual(80);
      }
    }
  });
});

it.each([
  ['rsa', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['ec', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['ed25519', () => generateKeyPairSync('ed25519')],
  ['x25519', () => generateKeyPairSync('x25519')],
] as const)('finds real keys: %s', (_, generate) => {
  for (let times = 0; times < 5; times++) {
    const text = generate().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(scoreOf({ type: 'file', path: '/server.key', status: 200, text, isWhole: true })).toBe(9);
  }
});

it.each([
  [{}, 'off'],
  [{ mode: 'off' }, 'off'],
  [{ mode: 'observe' }, 'off'],
  [{ mode: 'strict' }, 'off'],
  [{ mode: 'strict', leak: 'off' }, 'off'],
  [{ mode: 'off', leak: 'default' }, 'default'],
] as const)('of %o the mode is %s: what is said of attacks has no answers read', (rule, mode) => {
  expect(systemRuleModeOf(rule, 'leak')).toBe(mode);
  expect(systemRuleModeOf(rule, 'sql')).toBe('mode' in rule ? rule.mode : 'off');
});

it('alone has no request judged', () => {
  const rule = edgeSystemRule.parse({ leak: 'strict', exceptions: [] });
  expect([systemRulesOf(rule), leakRulesOf(rule)?.mode]).toEqual([undefined, 'strict']);
});

describe('modes and exceptions', () => {
  const answer = answerOf(cases[0]!.input)!;
  const request = { target: '/keys/a?b=c', time: 1000 };
  const settings: LeakSettings = { mode: 'default', exceptions: [] };

  it('block, observe, or say nothing', () => {
    expect(judgeLeaks(answer, settings, request)).toMatchObject({
      blocks: true,
      worst: { kind: 'private_key' },
    });
    expect(judgeLeaks(answer, { ...settings, mode: 'observe' }, request)).toMatchObject({
      blocks: false,
      worst: {},
    });
    const likely = answerOf(cases.find(({ expect: { found } }) => found === 'directory_listing 4')!.input)!;
    expect(judgeLeaks(likely, settings, request)).toMatchObject({ blocks: false, worst: {} });
    expect(judgeLeaks(likely, { ...settings, mode: 'strict' }, request)).toMatchObject({ blocks: true });
  });

  it.each([
    [{ path: '/keys/*' }, false],
    [{ path: '/other' }, true],
    [{ parameter: 'private_key' }, false],
    [{ parameter: 'credential' }, true],
    [{ detector: 'leak' as const, until: 1001 }, false],
    [{ detector: 'leak' as const, until: 999 }, true],
    [{ detector: 'sql' as const }, true],
  ])('%o', (exception, blocks) => {
    expect(judgeLeaks(answer, { ...settings, exceptions: [exception] }, request).blocks).toBe(blocks);
  });
});
