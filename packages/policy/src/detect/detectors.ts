import { wordsOf } from './bytes.ts';
import { deserialisation } from './deserialisation.ts';
import { html, htmlLiterals } from './html.ts';
import { java, javaLiterals } from './java.ts';
import { js, jsLiterals } from './js.ts';
import { ldap } from './ldap.ts';
import { log4j } from './log4j.ts';
import { bytesOf, findWords, makeAutomaton, wordBits, type Automaton } from './marks.ts';
import { nosql } from './nosql.ts';
import { path, pathLiterals } from './path.ts';
import { php, phpLiterals } from './php.ts';
import { protocol } from './protocol.ts';
import { scanner } from './scanner.ts';
import { shell, shellLiterals } from './shell.ts';
import { sql, sqlLiterals } from './sql.ts';
import { ssrf } from './ssrf.ts';
import { template, templateLiterals } from './template.ts';
import type { Detector, Part, Subject } from './types.ts';
import { upload } from './upload.ts';
import { xxe } from './xxe.ts';

export const detectors: Detector[] = [
  sql,
  html,
  js,
  shell,
  path,
  upload,
  php,
  template,
  java,
  log4j,
  xxe,
  nosql,
  ldap,
  deserialisation,
  ssrf,
  scanner,
  protocol,
];

const automaton: Automaton = makeAutomaton([
  { bits: wordBits.sql, words: wordsOf(sqlLiterals) },
  { bits: wordBits.markup, words: wordsOf(htmlLiterals) },
  { bits: wordBits.script, words: wordsOf(jsLiterals) },
  { bits: wordBits.command, words: wordsOf(shellLiterals) },
  { bits: wordBits.file, words: wordsOf(pathLiterals) },
  { bits: wordBits.code, words: wordsOf(phpLiterals) },
  { bits: wordBits.code, words: wordsOf(templateLiterals) },
  { bits: wordBits.code, words: wordsOf(javaLiterals) },
]);

/** A text made ready for the detectors: what the gates ask for is found in one pass each. */
export function subjectOf(part: Part, text: string, steps: string[]): Subject {
  return {
    part,
    text,
    lower: text.toLowerCase(),
    steps,
    bytes: bytesOf(text),
    words: findWords(automaton, text),
    isPasted: isPasted(text),
  };
}

const lineBytes = 8;

/** Three lines or more of some length. */
function isPasted(text: string): boolean {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines >= 3 && text.length >= lines * lineBytes;
}

const inFiles = ' php java xxe deserialisation log4j ';
const inNames = ' upload path shell html ';
const inDocuments = ' xxe deserialisation java log4j ';
const anywhere = ' upload ';

/** Whether a detector has anything to say of such a part. */
export function judges(detector: Detector, part: Part): boolean {
  const name = ` ${detector.name} `;
  if (part.place === 'file') return inFiles.indexOf(name) >= 0;
  if (part.place === 'file_name') return inNames.indexOf(name) >= 0;
  if (part.place === 'xml' && part.name === '') return inDocuments.indexOf(name) >= 0;
  return part.place === 'path' || anywhere.indexOf(name) < 0;
}
