/** Paths written in the ways in which servers differ, made by chance: always the same from one seed. */

const seeds = [
  ['admin', 'x'],
  ['admin', 'x.css'],
  ['admin'],
  ['secret.css'],
  ['public', 'x.css'],
  ['public', 'admin', 'x'],
  ['account.php', 'x.css'],
];
const starts = [
  '/',
  '/',
  '/',
  '/',
  '//',
  '///',
  '//host/',
  '//host:80/',
  '/public/',
  '/public/',
  '/x/',
  '/public%2f',
  '/x;y/',
  '/public;x/',
  '/.well-known/breakwater/',
  '/.well-known/breakwater/address/',
  '/.well-known/acme-challenge/',
  '/%2e/',
  '/./',
  '\\',
  '/\\',
  '/%5c',
  '/%2f',
  '/;/',
  '/%23/',
  '/%3f/',
];
/** Ordinary sites write them. */
const softJoints = ['/', '/', '/', '/', '//', '%2f', '%2F', ';/', ';x=1/', '%3b/', '/;x/', '%20/', './'];
const joints = [
  '\\',
  '%5c',
  '%252f',
  '/./',
  '/%2e/',
  '/.%00/',
  '%c0%af',
  '%e0%80%af',
  '%ef%bc%8f',
  '%23/',
  '%3f/',
  '%00/',
  '%0a/',
  '%09/',
  '%c1%9c',
  '/%20/',
  '?/',
  '#/',
];
const ascents = [
  '..',
  '%2e%2e',
  '.%2e',
  '%2E.',
  '..;',
  '..;x',
  '..%3b',
  '%252e%252e',
  '..%20',
  '..%00',
  '..%23',
  '..%3f',
  '%c0%ae%c0%ae',
  '%ef%bc%8e%ef%bc%8e',
  '..%01',
  '.../..',
  '..%5c..',
];
const softEnds = [
  '',
  '',
  '',
  '',
  '/',
  '.css',
  ';.css',
  ';x=1',
  '%3b.css',
  '%23.css',
  '%3f.css',
  '/x.css',
  '?x',
  '.',
  '%20',
];
const ends = [
  '%00.css',
  '%0a.css',
  '%2fx.css',
  '%252fx.css',
  '%5cx.css',
  '#.css',
  '..css',
  '/.',
  '/..',
  '%',
  '%2',
  '%zz',
  '%u002f',
  '/%2e',
];

export type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** One character in another spelling. */
function respell(random: Random, character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const kind = random();
  if (kind < 0.55) return `%${hex}`;
  if (kind < 0.7) return `%${hex.toUpperCase()}`;
  if (kind < 0.8) return `%25${hex}`;
  if (kind < 0.88) return `%c${code >= 64 ? 1 : 0}%${(128 + (code % 64)).toString(16)}`;
  if (kind < 0.96) return encodeURIComponent(String.fromCharCode(code + 0xfee0));
  return character.toUpperCase();
}

/** `hardness`: how much of it no ordinary site would write, 0 to 1. */
function form(random: Random, hardness: number): string {
  const isHard = () => random() < hardness;
  const names = [...pick(random, seeds)];
  if (random() < 0.3) names.unshift(pick(random, ['public', 'x', 'account.php']));
  let text = isHard() || random() < 0.2 ? pick(random, starts) : '/';
  for (const [index, name] of names.entries()) {
    if (index > 0) text += isHard() ? pick(random, joints) : pick(random, softJoints);
    if (isHard() && random() < 0.4) text += pick(random, ascents) + pick(random, [...softJoints, ...joints]);
    for (const character of name) text += random() < 0.04 ? respell(random, character) : character;
  }
  return text + (isHard() ? pick(random, ends) : pick(random, softEnds));
}

export function* pathForms(random: Random): Generator<string, never> {
  for (;;) {
    const target = form(random, pick(random, [0, 0, 0.1, 0.3, 0.6]));
    // What begins with none is no request target at all, and other tests have that.
    yield target.startsWith('/') ? target : `/${target}`;
  }
}
