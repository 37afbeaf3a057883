import { blank, byteAt, digit, hasAny, isKind, skip, wordsOf } from './bytes.ts';
import { byteBits, wordBits } from './marks.ts';
import { firstOf, stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

export const templateLiterals =
  '{{ ${ #{ <%= {% {php *{ @( ~{ __class__ __globals__ __builtins__ __subclasses__ __mro__ __base__ __import__ #set( #set ( <#assign freemarker $\\a{ %{ [[${ {$smarty __init__ {1 [% <% ${{ {{{ ${} @{ #{';

/** Expressions in templates of servers: Jinja, Twig, Freemarker, Velocity, Smarty, ERB, expression languages of Java. */
export const template: Detector = {
  name: 'template',
  group: 'code',
  mayFind: ({ bytes, words }) => (words & wordBits.template) !== 0 || (bytes & byteBits.brace) !== 0,
  find: findTemplate,
};

const inner = wordsOf(
  '__class__ __globals__ __builtins__ __subclasses__ __mro__ __bases__ __import__( __getattribute__ func_globals',
);
const inBraces = wordsOf(
  "constructor _self request[ class.forname getclass() .getclass runtime cycler. joiner. lipsum url_for get_flashed_messages app.request dump(app |attr( system( os.popen popen( exec( |filter( |map( [\"__ filter_var range. settings. $on.constructor ''. \"\". 'a'. []. config self. request.",
);
const opens = wordsOf('{{ ${ #{ <%= {% *{ @( ~{ %{ $\\a{ {');

function findTemplate(subject: Subject): Hit | undefined {
  const { lower, text, isPasted } = subject;
  let best = dunder(subject);
  if (isPasted && lower.length > 2000) return best;
  for (const open of opens) {
    let at = text.indexOf(open);
    if (open === '$\\a{') at = lower.indexOf(open);
    for (let count = 0; at >= 0 && count < 20; count++) {
      best = stronger(best, expressionHit(subject, at, open));
      at = text.indexOf(open, at + open.length);
    }
  }
  best = stronger(
    best,
    firstOf(
      lower,
      [
        'freemarker.template.utility',
        '?new()',
        '{php}',
        '{/php}',
        '{$smarty.',
        '#set($',
        '#set ($',
        '<#assign',
        '[#assign',
        '*{t(',
        '${t(',
        '__${',
        '@(1+',
        'self::getstreamvariable',
        '{literal}{/literal}',
      ],
      7,
      'a statement of a template',
    ),
  );
  return best;
}

/** Python's way from any value to all classes. */
function dunder({ lower, isPasted }: Subject): Hit | undefined {
  for (const name of inner) {
    const at = lower.indexOf(name);
    if (at < 0) continue;
    const before = byteAt(lower, at - 1);
    const isReached =
      before === 46 || before === 39 || before === 34 || before === 91 || name === '__import__(';
    if (!isReached) continue;
    const isFar = lower.indexOf('__', at + name.length) >= 0 || lower.indexOf('{{') >= 0;
    return { score: isPasted ? 4 : isFar ? 8 : 6, offset: at, why: `inner names of Python: ${name}` };
  }
  return undefined;
}

function expressionHit({ text, lower }: Subject, at: number, open: string): Hit | undefined {
  const from = skip(text, at + open.length, blank);
  if (isArithmetic(text, from, open))
    return { score: open === '{' ? 5 : 7, offset: at, why: `a sum in a template: ${open}` };
  if (open === '{' || open === '@(') return undefined;
  const stop = text.indexOf(open === '<%=' ? '%>' : open === '{%' ? '%}' : '}', from);
  const body = lower.substring(from, stop < 0 ? from + 400 : stop);
  if (open === '<%=' && hasAny(body, ['`', 'file.', 'io.', 'dir.']))
    return { score: 7, offset: at, why: 'an expression of ERB' };
  if (open === '{{' || open === '{%' || open === '#{' || open === '${' || open === '<%=')
    return bodyHit(body, at, open, body.length < 40 && text.length < 120);
  return undefined;
}

/** Names that harmless templates have, too. */
const plain = ' config request. self. settings. range. ';
const inScripts = ` [].  ''.  "". ${plain}`;

function bodyHit(body: string, at: number, open: string, isShort: boolean): Hit | undefined {
  for (const name of inBraces) {
    if (body.indexOf(name) < 0 || (open === '${' && inScripts.indexOf(` ${name} `) >= 0)) continue;
    const score = plain.indexOf(` ${name} `) < 0 ? 7 : isShort ? 5 : 4;
    return { score, offset: at, why: `an expression in a template: ${open}${name}` };
  }
  return undefined;
}

/** `7*7}}`: two numbers and what calculates, and then the end. */
function isArithmetic(text: string, from: number, open: string): boolean {
  let at = from;
  let numbers = 0;
  let operators = 0;
  while (at < text.length && at < from + 40) {
    const code = text.charCodeAt(at);
    if (isKind(code, digit)) {
      numbers += 1;
      at = skip(text, at, digit);
    } else if (code === 42 || code === 43 || code === 47 || (code === 45 && open !== '{')) {
      operators += 1;
      at += 1;
    } else if (code === 39 || code === 34 || isKind(code, blank)) at += 1;
    else break;
  }
  const code = byteAt(text, at);
  const isEnd = code === 125 || code === 37 || code === 41;
  // `{1*2}` stands in formulas, too; `${1}` names a part.
  return numbers >= 2 && operators >= 1 && operators < numbers && isEnd;
}
