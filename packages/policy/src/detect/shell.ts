import { blank, byteAt, digit, isKind, letter, numberOf, quote, skip, startsWithAny, word } from './bytes.ts';
import { byteBits, wordBits } from './marks.ts';
import { commands } from './shell-words.ts';
import type { Detector, Hit, Subject } from './types.ts';

export const shellLiterals =
  '/dev/tcp /dev/udp ${ifs $ifs bash ~sh /sh ~cmd powershell () /etc/ /bin/ /tmp/ wget curl ~ping whoami uname ~cat ~id ~ls ~nc ncat ifconfig ipconfig netstat nslookup chmod ~rm python perl ~php ~ruby certutil mshta echo touch sleep system(  exec( ~type ~dir ~net ~tac ~head ~tail ~more ~less ~nl ~find ~env ~ps ~pwd';

export const shell: Detector = {
  name: 'shell',
  group: 'command',
  mayFind: ({ bytes, words }) =>
    (bytes &
      (byteBits.semicolon |
        byteBits.pipe |
        byteBits.ampersand |
        byteBits.dollar |
        byteBits.line |
        byteBits.backtick)) !==
      0 || (words & wordBits.command) !== 0,
  find: findShell,
};

const separatorsMax = 300;

function findShell(subject: Subject): Hit | undefined {
  const { text, lower, isPasted } = subject;
  let best = certain(lower);
  if (best !== undefined && best.score >= 8) return best;
  let seen = 0;
  for (let at = 0; at < text.length && seen < separatorsMax; at++) {
    const length = separatorAt(text, at);
    if (length === 0) continue;
    seen += 1;
    const hit = commandAfter(subject, at, length);
    if (hit !== undefined && (best === undefined || hit.score > best.score)) best = hit;
    at += length - 1;
  }
  if (!isPasted) {
    const whole = wholeValue(subject);
    if (whole !== undefined && (best === undefined || whole.score > best.score)) best = whole;
  }
  return best;
}

/** What stands for nothing but a shell. */
function certain(lower: string): Hit | undefined {
  for (const needle of [
    '/dev/tcp/',
    '/dev/udp/',
    '${ifs}',
    '$ifs$',
    '$ifs/',
    '() { :',
    '(){:',
    '() {:',
    '() { _',
  ])
    if (lower.indexOf(needle) >= 0)
      return { score: 8, offset: lower.indexOf(needle), why: `in a shell: ${needle}` };
  for (const needle of [
    'bash -i',
    'bash -c',
    '/bin/sh -c',
    'nc -e',
    'ncat -e',
    'cmd /c',
    'cmd.exe /c',
    'powershell -',
    '/bin/bash',
    'cmd.exe',
  ]) {
    const at = lower.indexOf(needle);
    if (at < 0 || isKind(byteAt(lower, at - 1), letter)) continue;
    const isLong = lower.length > 400;
    return { score: isLong ? 4 : 6, offset: at, why: `a shell is started: ${needle}` };
  }
  return undefined;
}

/** How many bytes separate two commands here. */
function separatorAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 59 || code === 10 || code === 96) return 1;
  if (code === 124 || code === 38) return byteAt(text, at + 1) === code ? 2 : 1;
  if ((code === 36 || code === 60 || code === 62) && byteAt(text, at + 1) === 40) return 2;
  return 0;
}

export interface Command {
  /** 0: none that is known. */
  rank: number;
  name: string;
  next: number;
  isHidden: boolean;
}

/** The first word as a shell reads it: without the quotes, backslashes and empty variables in it. */
function commandAt(text: string, from: number): Command {
  let at = from;
  let name = '';
  let isHidden = false;
  while (at < text.length && name.length < 40) {
    const code = text.charCodeAt(at);
    const next = byteAt(text, at + 1);
    if (isNameByte(code)) {
      name += text.substring(at, at + 1);
      at += 1;
    } else if (code === 92 && isKind(next, letter)) {
      isHidden = true;
      at += 1;
    } else if (
      (code === 39 || code === 34) &&
      (next === code || isKind(byteAt(text, at - 1), letter) || isKind(next, letter))
    ) {
      isHidden = isHidden || next === code || isKind(byteAt(text, at - 1), letter);
      at += next === code ? 2 : 1;
    } else if (code === 36 && (next === 64 || next === 42 || isKind(next, digit))) {
      isHidden = true;
      at += 2;
    } else break;
  }
  return commandOf(name.toLowerCase(), at, isHidden);
}

/** Letters, digits and what paths and patterns have: `/`, `.`, `?`, `*`, `-`. */
function isNameByte(code: number): boolean {
  return isKind(code, word) || (code >= 45 && code <= 47) || code === 63 || code === 42;
}

function commandOf(lower: string, next: number, isHidden: boolean): Command {
  const base = baseName(lower);
  const isPath = base.length < lower.length;
  const rank = isPath && !isSystemPath(lower) ? 0 : numberOf(commands, base);
  const isSure = (isPath && rank > 0) || isWild(lower);
  return { rank: isSure ? 3 : rank, name: base, next, isHidden: isHidden && base.length > 1 };
}

function baseName(name: string): string {
  let at = name.length;
  while (at > 0 && name.charCodeAt(at - 1) !== 47) at -= 1;
  return name.substring(at);
}

function isSystemPath(name: string): boolean {
  return (
    name.startsWith('/bin/') || name.startsWith('/usr/') || name.startsWith('/sbin/') || name.startsWith('./')
  );
}

/** `/???/c?t`. */
function isWild(name: string): boolean {
  return (
    name.startsWith('/') && name.indexOf('?') > 0 && name.indexOf('/', 1) > 0 && name.indexOf('/', 1) < 6
  );
}

function commandAfter(subject: Subject, at: number, length: number): Hit | undefined {
  const { text, isPasted } = subject;
  const code = text.charCodeAt(at);
  let from = skip(text, at + length, blank);
  // `{cat,/etc/passwd}` is one command with an argument.
  if (byteAt(text, from) === 123) from += 1;
  if (byteAt(text, from) === 40) from = skip(text, from + 1, blank);
  const found = commandAt(text, from);
  if (found.rank === 0) return undefined;
  if (code === 96 && text.indexOf('`', found.next) < 0) return undefined;
  const score = argumentScore(text, found, code);
  if (score === 0) return undefined;
  const isQuoted = code === 96 && text.length > 60 && isKind(byteAt(text, at - 1), blank);
  const loss =
    isPasted || isQuoted ? 3 : code === 10 && found.rank < 3 && byteAt(text, found.next) === 32 ? 1 : 0;
  return score > loss
    ? { score: score - loss, offset: at, why: `the command ${found.name} after ${separatorName(code)}` }
    : undefined;
}

function separatorName(code: number): string {
  if (code === 10) return 'a line break';
  if (code === 36) return '$(';
  return String.fromCharCode(code);
}

/** How likely what follows is a command's argument. `code` is what separates; 0: nothing, the value begins here. */
function argumentScore(text: string, { rank, next, isHidden, name }: Command, code: number): number {
  const mark = byteAt(text, next);
  if (mark === 61 || (mark === 40 && rank < 3)) return 0;
  const bonus = isHidden ? 1 : 0;
  const at = skip(text, next, blank);
  const isEnd = at >= text.length || isEnding(text, at);
  if (isEnd) return endScore(text, rank, code, name) + bonus;
  if (at === next && !mayJoin(mark)) return 0;
  const plausible = isArgument(text, mark === 44 ? at + 1 : at);
  const isSingle = code === 38 && byteAt(text, at - 1) !== 38 && text.indexOf('&&') < 0;
  if (plausible === 2) return rank === 1 ? 6 : 7 + bonus;
  if (plausible === 1) return rank === 3 ? 7 : rank === 2 ? (isSingle ? 4 : 5) + bonus : 3;
  return rank === 3 ? (isProse(text, at) ? 3 : 6) : isHidden ? 6 : rank === 2 ? 3 : 0;
}

/** What may follow a command without a blank: `,` in braces, `$IFS`, `<`, `>`, `/`. */
function mayJoin(mark: number): boolean {
  return mark === 44 || mark === 36 || mark === 60 || mark === 62 || mark === 47;
}

/** Commands that say something without an argument; of those that nobody else uses, the ones that do not. */
const lonely = ' id ls ps pwd env sh df arp route dmesg lsblk mount ash ';
const needing =
  ' wget curl chmod chown passwd ping ping6 dig ssh scp tac xargs base64 mkdir rmdir rm sed awk ';

function endScore(text: string, rank: number, code: number, name: string): number {
  // `a|id|name`, `x;type`: lists have such words too.
  const isLike = code === 124 || code === 38 || code === 59 || code === 10;
  if (rank === 3) return needing.indexOf(` ${name} `) >= 0 ? 4 : 7;
  if (rank === 1) return isLike ? 2 : 4;
  if (lonely.indexOf(` ${name} `) < 0) return isLike ? 3 : 5;
  return code === 96 || code === 36 ? 6 : isSparse(text) ? 6 : 4;
}

/** A short value with blanks or numbers around its separators, not a list of names. */
function isSparse(text: string): boolean {
  let signs = 0;
  for (let at = 0; at < text.length && at < 200; at++) {
    const code = text.charCodeAt(at);
    if (code === 124 || code === 59 || code === 38) signs += 1;
  }
  return signs <= 3 && text.length < 120;
}

function isEnding(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    code === 59 ||
    code === 124 ||
    code === 38 ||
    code === 96 ||
    code === 41 ||
    code === 35 ||
    code === 10 ||
    code === 34 ||
    code === 39 ||
    code === 125
  );
}

/** 2: a path, an option, an address, a variable; 1: a number, a file's name, something quoted; 0: a word. */
function isArgument(text: string, at: number): number {
  const code = byteAt(text, at);
  const second = byteAt(text, at + 1);
  if (code === 47 || startsWithAny(text, ['http', 'ftp:', '../', './', '..\\', '~/', '--'], at)) return 2;
  if (code === 45 && isKind(second, letter)) return 2;
  if (code === 36) return isKind(second, letter) || second === 123 || second === 40 ? 2 : 0;
  if (code === 62 || code === 60) return startsWithAny(text, ['/', '&', '(', ' '], at + 1) ? 2 : 0;
  if (isKind(code, letter) && startsWithAny(text, [':\\', ':/'], at + 1)) return 2;
  if (isKind(code, digit | quote) || code === 42) return 1;
  const stop = skip(text, at, word);
  const after = byteAt(text, stop);
  if (after === 62 || after === 60) return 1;
  return after === 46 && isKind(byteAt(text, stop + 1), letter) ? 1 : 0;
}

/** Two plain words that follow each other. */
function isProse(text: string, at: number): boolean {
  const stop = skip(text, at, word);
  const second = skip(text, stop, blank);
  return second > stop && isKind(byteAt(text, second), letter) && skip(text, second, word) > second + 1;
}

/** A value that is a command and nothing else: `cat /etc/passwd`. */
function wholeValue({ text, lower }: Subject): Hit | undefined {
  const from = skip(text, 0, blank);
  const found = commandAt(text, from);
  if (found.rank === 0) return undefined;
  const next = skip(text, found.next, blank);
  if (next >= text.length) return undefined;
  if (
    next === found.next &&
    byteAt(text, next) !== 36 &&
    byteAt(text, next) !== 60 &&
    byteAt(text, next) !== 44
  )
    return undefined;
  const plausible = isArgument(text, next);
  if (plausible < 2) return undefined;
  const isTelling =
    lower.indexOf('/etc/') >= 0 ||
    lower.indexOf('/tmp/') >= 0 ||
    lower.indexOf('http', next) >= 0 ||
    lower.indexOf('/bin/') >= 0 ||
    lower.indexOf('$ifs') >= 0;
  const score = isTelling && found.rank >= 2 ? 7 : found.rank === 3 ? 6 : found.rank === 2 ? 5 : 3;
  return {
    score: text.length > 300 ? score - 2 : score,
    offset: from,
    why: `a whole command: ${found.name}`,
  };
}
