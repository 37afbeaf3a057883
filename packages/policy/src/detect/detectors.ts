import { wordsOf } from './bytes.ts';
import type { Reading } from './decode.ts';
import { deserialisation, objectLiterals } from './deserialisation.ts';
import { graphql, graphqlLiterals } from './graphql.ts';
import { html } from './html.ts';
import { java, javaLiterals } from './java.ts';
import { js, jsLiterals } from './js.ts';
import { ldap } from './ldap.ts';
import { log4j } from './log4j.ts';
import { byteBits, findWords, makeAutomaton, wordBits, type Automaton } from './marks.ts';
import { nosql } from './nosql.ts';
import { path, pathLiterals } from './path.ts';
import { php, phpLiterals } from './php.ts';
import { protocol } from './protocol.ts';
import { scanner, toolLiterals } from './scanner.ts';
import { shell, shellLiterals } from './shell.ts';
import { sql, sqlLiterals } from './sql.ts';
import { ssrf, ssrfLiterals } from './ssrf.ts';
import { template, templateLiterals } from './template.ts';
import type { Detector, Part, Subject } from './types.ts';
import { upload } from './upload.ts';
import { xxe } from './xxe.ts';

const detectors: Detector[] = [
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
  graphql,
  deserialisation,
  ssrf,
  scanner,
  protocol,
];

const automaton: Automaton = makeAutomaton([
  { bits: wordBits.sql, words: wordsOf(sqlLiterals) },
  { bits: wordBits.script, words: wordsOf(jsLiterals) },
  { bits: wordBits.command, words: wordsOf(shellLiterals) },
  { bits: wordBits.file, words: wordsOf(pathLiterals) },
  { bits: wordBits.php, words: wordsOf(phpLiterals) },
  { bits: wordBits.template, words: wordsOf(templateLiterals) },
  { bits: wordBits.java, words: wordsOf(javaLiterals) },
  { bits: wordBits.address, words: wordsOf(ssrfLiterals) },
  { bits: wordBits.tool, words: wordsOf(toolLiterals) },
  { bits: wordBits.object, words: wordsOf(objectLiterals) },
  { bits: wordBits.graphql, words: wordsOf(graphqlLiterals) },
]);

export const wordsIn = (text: string): number => findWords(automaton, text);

/** A text made ready for the detectors: what the gates ask for is found in one pass each. */
export function subjectOf(part: Part, { text, steps, bytes }: Reading): Subject {
  return {
    part,
    text,
    lower: text.toLowerCase(),
    steps,
    bytes,
    words: wordsIn(text),
    isPasted: (bytes & byteBits.line) !== 0 && isPasted(text),
  };
}

const lineBytes = 8;

/** Three lines or more of some length. */
function isPasted(text: string): boolean {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines >= 3 && text.length >= lines * lineBytes;
}

const inFiles = chosen('php java xxe deserialisation log4j');
const inFileNames = chosen('upload path shell html');
const inDocuments = chosen('xxe deserialisation java log4j');
const inHeaders = chosen('sql html shell path php template java log4j xxe deserialisation scanner protocol');
const inValues = chosen(
  'sql html js shell path php template java log4j xxe nosql ldap graphql deserialisation ssrf scanner protocol',
);

function chosen(list: string): Detector[] {
  const found: Detector[] = [];
  for (const name of wordsOf(list))
    for (const detector of detectors) if (detector.name === name) found[found.length] = detector;
  return found;
}

/** The detectors that have anything to say of such a part. */
export function detectorsOf({ place, name, isName }: Part): Detector[] {
  if (place === 'file') return inFiles;
  if (place === 'file_name') return inFileNames;
  if (place === 'xml' && name === '') return inDocuments;
  if (place === 'header') return inHeaders;
  return place === 'path' && !isName ? detectors : inValues;
}
