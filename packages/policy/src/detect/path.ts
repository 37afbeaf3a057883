import { byteAt, digit, isKind, letter, wordsOf } from './bytes.ts';
import { addAnchors, byteBits, makeAutomaton, wordBits } from './marks.ts';
import { stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

export const pathLiterals =
  '../ ..\\ ..; /.. \\.. etc/ etc\\ passwd proc/ win.ini boot.ini web-inf web.config .git .svn .hg/ .env .ht .ssh .aws .ds_store id_rsa wp-config php:// file: expect:// phar:// zip:// glob:// data:// jar: netdoc: compress. ogg:// var/log system32 .bash_ .npmrc .docker .kube .mysql_history shadow windows/ windows\\ localstart meta-inf php.ini my.cnf .idea /.vscode';

export const path: Detector = {
  name: 'path',
  group: 'traversal',
  mayFind: ({ bytes, words }) => (words & wordBits.file) !== 0 || (bytes & byteBits.nul) !== 0,
  find: findPath,
};

/** Files of systems that no page asks for. */
const systemFiles = wordsOf(
  'etc/passwd etc/shadow etc/hosts etc/hostname etc/group etc/issue etc/crontab etc/sudoers etc/ssh/ etc/nginx/ etc/apache2/ etc/httpd/ etc/mysql etc/my.cnf etc/php etc/resolv.conf etc/fstab etc/os-release etc/kubernetes proc/self/ proc/version proc/cpuinfo proc/1/ proc/net/ windows/win.ini winnt/win.ini windows/system32 windows/system.ini win.ini boot.ini var/log/ var/run/secrets root/.ssh root/.bash .ssh/id_ .ssh/authorized .bash_history .mysql_history .aws/credentials .docker/config .kube/config inetpub/ web-inf/ meta-inf/ usr/local/apache usr/local/etc sam.bak repair/sam php.ini',
);

/** By their places in the list: one pass finds which occur, where a search for each would begin anew at every `.` of `../../…`. */
const systemFileWords = makeAutomaton(systemFiles.map((name, place) => ({ bits: place, words: [name] })));

/** Files beside a site that are not for visitors, as a path's end or folder. */
const hiddenFiles = wordsOf(
  '/.git/ /.svn/ /.hg/ /.env /.env. /.htaccess /.htpasswd /.ds_store /.ssh/ /.aws/ /.npmrc /.idea/ /.vscode/ /web-inf/ /meta-inf/ /wp-config.php. /wp-config.bak /wp-config.txt /wp-config.old /web.config /.bash_history /.dockerenv /.docker/ /.kube/ /id_rsa /localstart.asp',
);

const wrappers = wordsOf(
  'php://filter php://input php://fd php://output php://stdin php://memory php://temp expect:// phar:// zip:// glob:// data://text data://application compress.zlib:// compress.bzip2:// ogg:// jar:file jar:http netdoc: file:/ ssh2.',
);

function findPath(subject: Subject): Hit | undefined {
  const { part, steps } = subject;
  const plain = slashed(subject.lower);
  let best = climbing(plain, steps.length);
  best = stronger(best, fileHit(plain, subject));
  best = stronger(best, wrapperHit(plain));
  best = stronger(best, nulHit(subject));
  if (best !== undefined && part.place === 'path' && best.score === 4)
    return { score: 5, offset: best.offset, why: best.why };
  return best;
}

/** With `/` for `\`, and without `./` and `//`, which lead nowhere. */
function slashed(lower: string): string {
  const text = lower.indexOf('\\') < 0 ? lower : lower.split('\\').join('/');
  if (text.indexOf('//') < 0 && text.indexOf('/./') < 0) return text;
  const out: string[] = [];
  let start = 0;
  let last = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isStep = code === 46 && last === 47 && byteAt(text, at + 1) === 47;
    if (!isStep && !(code === 47 && last === 47 && byteAt(text, at - 2) !== 58)) {
      last = code;
      continue;
    }
    out.push(text.substring(start, at));
    if (isStep) at += 1;
    start = at + 1;
  }
  out.push(text.substring(start));
  return out.join('');
}

/** `../` as often as it leads out of the folder where it begins. */
function climbing(plain: string, steps: number): Hit | undefined {
  let depth = 0;
  let lowest = 0;
  let offset = -1;
  let odd = false;
  let at = plain.indexOf('..');
  let from = 0;
  for (let count = 0; at >= 0 && count < 200; count++) {
    const stop = dotsEnd(plain, at);
    const next = byteAt(plain, stop);
    const before = byteAt(plain, at - 1);
    const isStart = at === 0 || isStartByte(before);
    const isStep =
      next === 47 ||
      (next === 59 && byteAt(plain, stop + 1) === 47) ||
      (next >= 256 && stop - at === 2 && before === 47);
    if (isStep && (isStart || stop - at > 2)) {
      depth += segmentsBetween(plain, from, at) - 1;
      if (offset < 0) offset = at;
      odd = odd || next === 59 || stop - at > 3;
      from = stop + 1;
      if (depth < lowest) lowest = depth;
    }
    at = plain.indexOf('..', stop);
  }
  if (offset < 0) return undefined;
  if (odd) return { score: 6, offset, why: 'steps out of folders, written oddly' };
  if (lowest > -1) return undefined;
  const score = lowest <= -4 ? 7 : lowest === -3 ? 5 : lowest === -2 ? 3 : 2;
  return { score: steps > 0 ? score + 1 : score, offset, why: `${-lowest} folders up` };
}

/** What a path may stand behind: `/`, `=`, a quote, `,`, `:`. */
function isStartByte(code: number): boolean {
  return code === 47 || code === 61 || code === 34 || code === 39 || code === 44 || code === 58;
}

function dotsEnd(plain: string, from: number): number {
  let at = from;
  while (byteAt(plain, at) === 46) at += 1;
  return at;
}

function segmentsBetween(plain: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++)
    if (plain.charCodeAt(at) === 47 && at > from && plain.charCodeAt(at - 1) !== 58) count += 1;
  return count;
}

function fileHit(plain: string, { part, isPasted }: Subject): Hit | undefined {
  const occurring: number[] = [];
  addAnchors(systemFileWords, plain, occurring);
  const occurs: boolean[] = [];
  for (const place of occurring) occurs[place] = true;
  for (let place = 0; occurring.length > 0 && place < systemFiles.length; place++) {
    if (occurs[place] !== true) continue;
    const name = systemFiles[place]!;
    const at = plain.indexOf(name);
    const before = byteAt(plain, at - 1);
    if (isKind(before, letter) || isKind(before, digit)) continue;
    const isStart = at <= 1 || before === 47 || before === 58;
    if (part.place === 'path') return { score: 7, offset: at, why: `a file of the system: ${name}` };
    const climbs = plain.indexOf('../') >= 0;
    const score = climbs ? 8 : isStart && plain.length < 200 && !isPasted ? 6 : 4;
    return { score: isPasted ? score - 2 : score, offset: at, why: `a file of the system: ${name}` };
  }
  if (part.place !== 'path') return undefined;
  for (const name of hiddenFiles) {
    const at = plain.indexOf(name);
    if (at < 0) continue;
    const isWhole = name.endsWith('/') || name.endsWith('.') || at + name.length === plain.length;
    if (isWhole) return { score: 6, offset: at, why: `a file that is not for visitors: ${name}` };
  }
  return undefined;
}

function wrapperHit(plain: string): Hit | undefined {
  for (const name of wrappers) {
    const at = plain.indexOf(name);
    if (at < 0 || isKind(byteAt(plain, at - 1), letter)) continue;
    if (name === 'file:/')
      return at < 3
        ? {
            score: /* a link of an editor is no attack */ plain.length < 120 ? 6 : 4,
            offset: at,
            why: 'a file by its address',
          }
        : undefined;
    return { score: plain.length > 2000 ? 5 : 7, offset: at, why: `a wrapper: ${name}` };
  }
  return undefined;
}

/** A NUL before a suffix, at which careless software ends the name. */
function nulHit({ text }: Subject): Hit | undefined {
  const at = text.indexOf('\0');
  if (at < 1 || text.length > 400) return undefined;
  const isSuffix = byteAt(text, at + 1) === 46 && isKind(byteAt(text, at + 2), letter);
  if (isSuffix) return { score: 6, offset: at, why: 'a NUL before a suffix' };
  return at === text.length - 1 && text.indexOf('/') >= 0 && text.indexOf('.') >= 0
    ? { score: 4, offset: at, why: 'a NUL after a name' }
    : undefined;
}
