import { lowerAscii } from '../lib/text.ts';
import { digit, isKind, skip } from './bytes.ts';
import type { Leak } from './leak.ts';
import { beginningOf, isNear, isQuoted, isWordAt, placesMax, timesIn, type LeakAnswer } from './leak-text.ts';

/** Files that a server is not meant to give: programs, files of the system, settings, dumps; and lists of its folders. */

export function addFiles(answer: LeakAnswer, into: Leak[]): void {
  const begin = beginningOf(answer.text);
  addProgram(answer, begin, into);
  addSystemFile(answer, into);
  if (answer.type !== 'html' || !answer.text.startsWith('<', begin)) addSettings(answer, begin, into);
  addDump(answer, begin, into);
  addListing(answer, into);
}

/** Source in place of what it would have answered: at the very beginning, where no page about it has it. */
function addProgram({ text, type }: LeakAnswer, begin: number, into: Leak[]): void {
  if (type === 'json' || type === 'xml' || type === 'script') return;
  const score = type === 'html' ? 8 : 6;
  if (text.startsWith('<?php', begin) && text.charCodeAt(begin + 5) <= 32) {
    const hasPassword = text.indexOf("'DB_PASSWORD'") >= 0 || text.indexOf('"DB_PASSWORD"') >= 0;
    if (hasPassword) into.push({ kind: 'config_file', score: 9, shown: '<?php DB_PASSWORD' });
    else if (text.indexOf(';', begin) >= 0) into.push({ kind: 'source_code', score, shown: '<?php' });
  } else if (text.startsWith('<%@', begin) && text.indexOf('%>', begin) > 0)
    into.push({ kind: 'source_code', score, shown: '<%@' });
}

/** Lines of `/etc/passwd` and `/etc/shadow`, one below the other; in the middle of an answer somebody may have written them. */
function addSystemFile(answer: LeakAnswer, into: Leak[]): void {
  const { text, type } = answer;
  let at = text.indexOf('root:');
  for (let places = 0; at >= 0 && places < placesMax; places++) {
    if (!isWordAt(text, at - 1) && accountsAt(text, at) >= 3) {
      if (!isQuoted(answer, at))
        into.push({ kind: 'system_file', score: at === beginningOf(text) ? 9 : 4, shown: 'root:***' });
      return;
    }
    at = text.indexOf('root:', at + 5);
  }
  if (type !== 'script' && text.startsWith('; for 16-bit app support') && text.indexOf('[fonts]') > 0)
    into.push({ kind: 'system_file', score: 8, shown: '; for 16-bit app support' });
}

/** How many lines in a row are of an account. In JSON line breaks are written `\n`. */
function accountsAt(text: string, begin: number): number {
  let at = begin;
  let lines = 0;
  while (lines < 3) {
    const end = endOfAccount(text, at);
    if (end < 0) break;
    lines += 1;
    if (text.startsWith('\r\n', end)) at = end + 2;
    else if (text.startsWith('\n', end)) at = end + 1;
    else if (text.startsWith('\\n', end)) at = end + 2;
    else break;
  }
  return lines;
}

/** `daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin`, or of the shadow file `daemon:*:19000:0:99999:7:::`; -1: it is none. */
function endOfAccount(text: string, begin: number): number {
  let at = begin;
  let colons = 0;
  let numbers = 0;
  let start = begin;
  while (at < text.length && at - begin < 300) {
    const code = text.charCodeAt(at);
    const isEnd = code === 10 || code === 13 || code === 92;
    if (code === 58 || isEnd) {
      if (at > start && skip(text, start, digit) >= at) numbers += 1;
      if (isEnd) break;
      colons += 1;
      start = at + 1;
    } else if (code < 32 || code === 60 || code === 34) break;
    at += 1;
  }
  const isPasswd =
    colons === 6 && numbers >= 2 && text.indexOf('/', begin) >= 0 && text.indexOf('/', begin) < at;
  return isPasswd || (colons === 8 && numbers >= 3) ? at : -1;
}

const examplePaths = ['example', 'sample', 'template', '.dist'];

/** Settings of software that has no business with visitors. */
function addSettings({ text, type, path }: LeakAnswer, begin: number, into: Leak[]): void {
  const add = (score: number, shown: string): void => {
    into.push({ kind: 'config_file', score, shown });
  };
  if (type === 'script') return;
  if (text.startsWith('[core]', begin) && isNear(text, 'repositoryformatversion', begin, 60))
    add(8, '[core]');
  else if (text.startsWith('ref: refs/heads/', begin) && text.length < 200) add(6, 'ref: refs/heads/');
  else if (text.startsWith('DIRC\x00\x00\x00')) add(8, 'DIRC');
  else if (text.startsWith('<', begin) && text.indexOf('<connectionStrings') >= 0 && type !== 'json') {
    const lower = lowerAscii(text);
    if (lower.indexOf('password=') > 0 || lower.indexOf('pwd=') > 0) add(7, '<connectionStrings');
  } else if (type === 'plain' || type === 'file' || type === 'html') {
    for (const word of examplePaths) if (lowerAscii(path).indexOf(word) >= 0) return;
    const name = secretOfEnvironment(text);
    if (name !== undefined) add(8, `${name}=***`);
  }
}

const secretNames = [
  'PASSWORD',
  'PASSWD',
  'SECRET',
  'TOKEN',
  'APP_KEY',
  'API_KEY',
  'ACCESS_KEY',
  'PRIVATE_KEY',
  'SECRET_KEY',
];
const lookedAt = 200;

/** The name of a secret in a file of nothing but `NAME=value`, comments and blank lines. */
function secretOfEnvironment(text: string): string | undefined {
  let start = 0;
  let settings = 0;
  let found: string | undefined;
  for (let line = 0; line < lookedAt && start < text.length; line++) {
    let end = text.indexOf('\n', start);
    // The last may be cut.
    if (end < 0) end = text.length;
    const from = text.startsWith('export ', start) ? start + 7 : start;
    const equals = text.indexOf('=', from);
    const isSetting = equals > from && equals < end && isSettingName(text.substring(from, equals));
    if (isSetting) {
      settings += 1;
      const name = text.substring(from, equals);
      if (found === undefined && isSecretName(name) && isSecretValue(text.substring(equals + 1, end)))
        found = name;
    } else if (!isComment(text, start, end) && end < text.length) return undefined;
    start = end + 1;
  }
  return settings >= 3 ? found : undefined;
}

function isSettingName(name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (code !== 95 && (code < 65 || code > 90) && !isKind(code, digit)) return false;
  }
  return name.length > 1;
}

function isComment(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && text.charCodeAt(at) <= 32) at += 1;
  return at >= end || text.startsWith('#', at);
}

function isSecretName(name: string): boolean {
  for (const each of secretNames) if (name.endsWith(each)) return true;
  return false;
}

const noSecrets = [
  'change',
  'your',
  'secret',
  'password',
  'null',
  'none',
  'example',
  'xxx',
  '<',
  '${',
  '{{',
  '***',
  '...',
  'todo',
  'true',
  'false',
  'test',
  'root',
];

function isSecretValue(value: string): boolean {
  const lower = lowerAscii(value);
  for (const each of noSecrets) if (lower.indexOf(each) >= 0) return false;
  let bytes = 0;
  for (let index = 0; index < value.length; index++) if (value.charCodeAt(index) > 32) bytes += 1;
  return bytes >= 8;
}

const dumps = [
  '-- MySQL dump ',
  '-- MariaDB dump ',
  '-- phpMyAdmin SQL Dump',
  '-- Adminer ',
  '--\n-- PostgreSQL database dump',
  '--\r\n-- PostgreSQL database dump',
  '-- PostgreSQL database dump',
  '-- Dump created by MySQL ',
  'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;',
];

/** What tools write above a dump; with rows in it, it is more than a schema, of which many are published. */
function addDump({ text, type }: LeakAnswer, begin: number, into: Leak[]): void {
  if (text.startsWith('SQLite format 3\x00'))
    into.push({ kind: 'database_dump', score: 8, shown: 'SQLite format 3' });
  if (type === 'json' || type === 'xml' || type === 'script') return;
  let at = begin;
  // MariaDB's own first line.
  if (text.startsWith('/*M!', at)) at = text.indexOf('\n', at) + 1;
  for (const line of dumps) {
    if (!text.startsWith(line, at)) continue;
    const hasRows = text.indexOf('INSERT INTO ') > 0 || text.indexOf('\nCOPY ') > 0;
    into.push({ kind: 'database_dump', score: hasRows ? 8 : 4, shown: 'SQL dump' });
    return;
  }
}

/** Many servers are meant to show their folders. */
function addListing({ text, type }: LeakAnswer, into: Leak[]): void {
  if (type !== 'html') return;
  const title = text.indexOf('<title>');
  if (title < 0) return;
  const isNamed = text.startsWith('Index of /', title + 7) && text.indexOf('<h1>Index of /') > 0;
  const hasParent = text.indexOf('Parent Directory') > 0 || timesIn(text, '<a href="../">', 1) > 0;
  if (
    (isNamed && hasParent) ||
    text.startsWith('Directory listing for /', title + 7) ||
    text.indexOf('[To Parent Directory]') > 0
  )
    into.push({ kind: 'directory_listing', score: 4, shown: 'Index of /' });
}
