import { blank, byteAt, isKind, skip, word, wordsOf } from './bytes.ts';
import { byteBits, wordBits } from './marks.ts';
import { firstOf, stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

export const phpLiterals =
  '<?php <?= <% $_get $_post $_request $_cookie $_server $_files $globals eval assert system passthru shell_exec popen proc_open phpinfo base64_decode file_put_contents file_get_contents call_user_func create_function invokefunction allow_url auto_prepend var_dump print_r request.getparameter response.write server.createobject wscript.shell <jsp: readfile unlink move_uploaded fputs fwrite md5( chr( include require exec( execute( java_ print( die( preg_replace';

export const php: Detector = {
  name: 'php',
  group: 'code',
  mayFind: ({ bytes, words }) =>
    (words & wordBits.php) !== 0 &&
    (bytes & (byteBits.angle | byteBits.paren | byteBits.dollar | byteBits.equals)) !== 0,
  find: findPhp,
};

const superglobals = wordsOf('$_get $_post $_request $_cookie $_server $_files $globals');

/** Functions that run a text or a program, or tell all about the server: `8` with what a visitor sends as argument. */
const runners = wordsOf(
  'eval assert system passthru shell_exec popen proc_open exec call_user_func call_user_func_array create_function file_put_contents include include_once require require_once pcntl_exec preg_replace array_map usort',
);
const tellers = wordsOf(
  'phpinfo base64_decode file_get_contents readfile var_dump print_r md5 fopen scandir unlink show_source highlight_file die print echo',
);

function findPhp(subject: Subject): Hit | undefined {
  const { lower, isPasted } = subject;
  let best = tagHit(subject);
  for (const name of superglobals) {
    const at = lower.indexOf(name);
    if (at < 0) continue;
    const after = byteAt(lower, at + name.length);
    if (after !== 91 && after !== 123 && after !== 32) continue;
    const isCalled = callBefore(lower, at);
    const score = isCalled ? 8 : 6;
    best = stronger(best, {
      score: isPasted && !isCalled ? score - 2 : score,
      offset: at,
      why: `what PHP keeps a request in: ${name}`,
    });
  }
  best = stronger(
    best,
    firstOf(
      lower,
      ['allow_url_include', 'auto_prepend_file', 'invokefunction', 'disable_functions='],
      7,
      'settings of PHP',
    ),
  );
  best = stronger(best, callHit(subject));
  return best;
}

/** `<?php`, `<?=`, `<% … request`. */
function tagHit({ lower, part }: Subject): Hit | undefined {
  const at = lower.indexOf('<?php');
  if (at >= 0) return { score: 7, offset: at, why: 'PHP' };
  const short = lower.indexOf('<?=');
  if (short >= 0 && lower.indexOf('(', short) >= 0) return { score: 6, offset: short, why: 'PHP' };
  const active = lower.indexOf('<%');
  if (active < 0) return undefined;
  const found = firstOf(
    lower,
    [
      'request.getparameter',
      'eval request',
      'execute(request',
      'eval(request',
      'runtime',
      'processbuilder',
      'wscript.shell',
      'server.createobject',
      'request("',
      'request.item',
      '@page import',
      '@ page import',
      'classloader',
    ],
    8,
    'a page of ASP or JSP',
  );
  if (found !== undefined) return found;
  return part.place === 'file' ? { score: 5, offset: active, why: 'a page of ASP or JSP' } : undefined;
}

/** Whether a function's parenthesis is open in front of a place. */
function callBefore(lower: string, at: number): boolean {
  let index = at - 1;
  while (index >= 0 && index > at - 60) {
    const code = lower.charCodeAt(index);
    if (code === 59 || code === 10) return false;
    if (code === 40) return nameBefore(lower, index) !== '';
    index -= 1;
  }
  return false;
}

function nameBefore(lower: string, at: number): string {
  let stop = at;
  while (stop > 0 && isKind(byteAt(lower, stop - 1), blank)) stop -= 1;
  let start = stop;
  while (start > 0 && start > stop - 30 && isKind(byteAt(lower, start - 1), word)) start -= 1;
  return lower.substring(start, stop);
}

/** `system('id')`, `eval(base64_decode(…))`, `phpinfo()`. */
function callHit({ lower, isPasted }: Subject): Hit | undefined {
  let best: Hit | undefined;
  for (const name of runners) best = stronger(best, calledHit(lower, name, isPasted));
  for (const name of tellers) {
    const at = lower.indexOf(name);
    if (at < 0) continue;
    const open = skip(lower, at + name.length, blank);
    if (byteAt(lower, open) !== 40 || isKind(byteAt(lower, at - 1), word)) continue;
    if (name === 'phpinfo')
      best = stronger(best, { score: isPasted ? 3 : 6, offset: at, why: 'a call of phpinfo' });
    const isEnded =
      at < 40 &&
      (lower.charCodeAt(0) === 39 ||
        lower.charCodeAt(0) === 59 ||
        lower.startsWith('${') ||
        lower.startsWith('@'));
    if (isEnded && !isPasted) best = stronger(best, { score: 6, offset: at, why: `a call of ${name}` });
  }
  return best;
}

function calledHit(lower: string, name: string, isPasted: boolean): Hit | undefined {
  const at = lower.indexOf(name);
  if (at < 0 || isKind(byteAt(lower, at - 1), word) || byteAt(lower, at - 1) === 46) return undefined;
  const open = skip(lower, at + name.length, blank);
  if (byteAt(lower, open) !== 40) return undefined;
  const inner = skip(lower, open + 1, blank);
  const isNested =
    lower.startsWith('base64_decode', inner) ||
    lower.startsWith('gzinflate', inner) ||
    lower.startsWith('str_rot13', inner) ||
    lower.startsWith('chr(', inner) ||
    lower.startsWith('hex2bin', inner);
  if (isNested) return { score: 8, offset: at, why: `${name} of a hidden text` };
  const mark = byteAt(lower, inner);
  const isText = mark === 39 || mark === 34;
  const runsProgram =
    name === 'system' ||
    name === 'passthru' ||
    name === 'shell_exec' ||
    name === 'popen' ||
    name === 'proc_open' ||
    name === 'pcntl_exec';
  if (runsProgram && isText) return { score: isPasted ? 4 : 7, offset: at, why: `a call of ${name}` };
  if (name === 'assert' && isText && !isPasted) return { score: 5, offset: at, why: 'a call of assert' };
  return undefined;
}
