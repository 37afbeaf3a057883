import { digit, hasAny, isKind } from './bytes.ts';
import type { Leak } from './leak.ts';
import { beginningOf, isNear, isQuoted, scoreOfMessage, timesIn, type LeakAnswer } from './leak-text.ts';

/** What software says of its failure to its developers: messages of databases, and the calls that led there. */

/** The words of a vendor, and what stands soon after them. */
type Message = [text: string, then: string];

const databaseMessages: Message[] = [
  [
    'You have an error in your SQL syntax; check the manual that corresponds to your ',
    'server version for the right syntax to use near',
  ],
  ["Unknown column '", "' in '"],
  ['SQLSTATE[', ']: '],
  ["Access denied for user '", '(using password: '],
  ['ERROR:  syntax error at or near ', ''],
  ['unterminated quoted string at or near ', ''],
  ['pg_query(): Query failed: ERROR:', ''],
  ['org.postgresql.util.PSQLException: ', ''],
  ['psycopg2.errors.', ': '],
  ['PG::SyntaxError: ERROR:', ''],
  ['Unclosed quotation mark after the character string ', ''],
  ['Microsoft OLE DB Provider for ', '80040e'],
  ['[ODBC SQL Server Driver][SQL Server]', ''],
  ['System.Data.SqlClient.SqlException', ''],
  ['Microsoft.Data.SqlClient.SqlException', ''],
  ['SQLITE_ERROR: ', ''],
  ['sqlite3.OperationalError: ', ''],
  ['SQLite3::SQLException: ', ''],
  ['com.mysql.jdbc.exceptions.', ''],
  ['com.mysql.cj.jdbc.exceptions.', ''],
];

export function addDatabaseErrors(answer: LeakAnswer, into: Leak[]): void {
  const { text } = answer;
  for (const [words, then] of databaseMessages) {
    const at = text.indexOf(words);
    if (at < 0 || (then !== '' && !isNear(text, then, at, 300))) continue;
    add(answer, at, 'database_error', words, into);
    return;
  }
  const oracle = text.indexOf('ORA-');
  if (oracle >= 0 && isOracle(text, oracle))
    add(answer, oracle, 'database_error', text.substring(oracle, oracle + 9), into);
}

/** `ORA-00933: SQL command not properly ended` */
function isOracle(text: string, at: number): boolean {
  for (let index = at + 4; index < at + 9; index++) if (!isKind(text.charCodeAt(index), digit)) return false;
  return text.startsWith(': ', at + 9);
}

function add(answer: LeakAnswer, at: number, kind: Leak['kind'], shown: string, into: Leak[]): void {
  const score = scoreOfMessage(answer, at);
  if (score > 0) into.push({ kind, score, shown });
}

export function addStackTraces(answer: LeakAnswer, into: Leak[]): void {
  if (answer.type === 'html') addPhpOfPage(answer, into);
  addPhp(answer, into);
  addFrames(answer, into);
  for (const [words, then] of debugPages)
    if (answer.type === 'html' && answer.text.indexOf(words) >= 0 && answer.text.indexOf(then) >= 0)
      into.push({ kind: 'stack_trace', score: answer.status >= 400 ? 7 : 4, shown: words });
}

/** Pages of frameworks for their developers, in which both texts stand. They come with the status of a failure; others may be about them. */
const debugPages: Message[] = [
  ['// Werkzeug Debugger</title>', 'EVALEX'],
  ['seeing this error because you have <code>DEBUG = True</code>', 'Django settings file'],
  ['<title>Action Controller: Exception caught</title>', '<pre'],
  ['<h1>An unhandled exception occurred while processing the request.</h1>', 'rawExceptionStackTrace'],
  ['<title>Whoops! There was an error.</title>', 'class="Whoops container"'],
  ['Version Information:</b>&nbsp;Microsoft .NET Framework Version:', 'Stack Trace:</b>'],
];

const phpErrors: [name: string, isFatal: boolean][] = [
  ['Fatal error', true],
  ['Parse error', true],
  // A page with these is one that works.
  ['Warning', false],
  ['Notice', false],
  ['Deprecated', false],
];
/** Between the place of an error and the end of what PHP writes of it. */
const lineBytes = 60;

/** As PHP writes them with `html_errors`, and Xdebug: a page that shows such a text has its markup escaped. */
function addPhpOfPage(answer: LeakAnswer, into: Leak[]): void {
  const { text } = answer;
  for (const [name, isFatal] of phpErrors) {
    const at = text.indexOf(`<b>${name}</b>:  `);
    if (at < 0 || !isNear(text, ' in <b>', at, 3000) || !isNear(text, '</b> on line <b>', at, 3000)) continue;
    const score = isFatal && isOfServer(answer, at) ? 6 : 4;
    if (!isQuoted(answer, at)) into.push({ kind: 'stack_trace', score, shown: name });
    return;
  }
  const xdebug = text.indexOf("class='xdebug-error xe-");
  if (xdebug >= 0 && !isQuoted(answer, xdebug))
    into.push({ kind: 'stack_trace', score: 6, shown: 'xdebug-error' });
}

/** A fatal error ends the answer, or is all there is of it. In the middle a visitor may have written it, where that much markup is let through. */
function isOfServer({ text, status, isWhole }: LeakAnswer, at: number): boolean {
  if (status >= 500 || at <= beginningOf(text) + lineBytes) return true;
  return isWhole && text.length - text.indexOf('</b> on line <b>', at) <= lineBytes;
}

/** The same without markup. */
function addPhp(answer: LeakAnswer, into: Leak[]): void {
  const { text } = answer;
  const plain = text.indexOf('Fatal error: Uncaught ');
  if (plain >= 0 && isNear(text, 'Stack trace:', plain, 2000) && isNear(text, '#0 ', plain, 2100))
    add(answer, plain, 'stack_trace', 'Fatal error: Uncaught', into);
  const logged = text.indexOf('PHP Fatal error:  ');
  if (logged >= 0 && isNear(text, ' on line ', logged, 2000))
    add(answer, logged, 'stack_trace', 'PHP Fatal error', into);
}

/** What begins a call, and what stands soon after that. */
interface Frame {
  begins: string[];
  places: string[];
  times: number;
  shown: string;
}

const frames: Frame[] = [
  {
    begins: ['\tat ', '\\tat '],
    places: ['.java:', '(Native Method)', '(Unknown Source)', '.kt:', '.scala:'],
    times: 3,
    shown: 'at *.java',
  },
  { begins: ['   at '], places: ['.cs:line ', '.vb:line '], times: 2, shown: 'at *.cs' },
  {
    begins: ['    at ', '&nbsp;at '],
    places: ['.js:', '.ts:', 'node:internal/', '.mjs:', '.cjs:'],
    times: 3,
    shown: 'at *.js',
  },
  {
    begins: ['app/controllers/', 'lib/ruby/gems/'],
    places: [':in `', ":in '", ':in &#39;', ':in &#x27;'],
    times: 2,
    shown: '*.rb:in',
  },
  {
    begins: ['Traceback (most recent call last)'],
    places: [', line '],
    times: 1,
    shown: 'Traceback (most recent call last)',
  },
  { begins: ['goroutine '], places: ['.go:'], times: 1, shown: 'goroutine' },
];

function addFrames(answer: LeakAnswer, into: Leak[]): void {
  const { text } = answer;
  for (const { begins, places, times, shown } of frames)
    for (const begin of begins) {
      // Nearly all answers end here.
      const first = text.indexOf(begin);
      if (first < 0 || timesIn(text, begin, times) < times) continue;
      if (callsOf(text, begin, places, times) < times) continue;
      if (begin === 'goroutine ' && !isNear(text, ' [running]:', first, 30)) continue;
      // In an answer that is no failure it is what somebody wrote or sent.
      const score = scoreOfMessage(answer, first);
      if (score > 0) into.push({ kind: 'stack_trace', score: answer.status < 400 ? 4 : score, shown });
      break;
    }
}

const callBytes = 400;

function callsOf(text: string, begin: string, places: string[], max: number): number {
  let calls = 0;
  let at = text.indexOf(begin);
  while (at >= 0 && calls < max) {
    const call = text.substring(at + begin.length, at + begin.length + callBytes);
    if (hasAny(call, places)) calls += 1;
    at = text.indexOf(begin, at + begin.length);
  }
  return calls;
}
