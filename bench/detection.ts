/**
 * What the detectors find and what they take for an attack by mistake: on a folder of labelled requests (`DETECTION_CORPUS` with
 * `attacks/*.http` and `benign/*.http`), on attacks of our own written in many ways, and on harmless requests that look like them.
 *
 * Names of parts as arguments (`corpus`, `mutations`, `negatives`, `answers`) leave out the others. `DETECTION_THIRD=tuned` or `unseen` takes
 * two thirds or the other third of the folder, by a hash of the file's name.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detect } from '../packages/policy/src/detect/detect.ts';
import { leaksIn } from '../packages/policy/src/detect/leak.ts';
import type { LeakAnswer } from '../packages/policy/src/detect/leak-text.ts';
import type { DetectRequest, DetectSettings, Verdict } from '../packages/policy/src/detect/types.ts';
import { hardNegatives } from './lib/hard-negatives.ts';
import { parseMessage } from './lib/http-message.ts';
import { mutations } from './lib/mutations.ts';
import { printResult } from './lib/result.ts';
import { Tally } from './lib/tally.ts';

const negatives = 14_000;
const shownMax = 40;
const chosen = process.argv.slice(2);
const wants = (part: string) => chosen.length === 0 || chosen.includes(part);
const settings: DetectSettings = { modes: {}, exceptions: [], fields: [] };

const figures: Record<string, number> = {};
const corpus = process.env['DETECTION_CORPUS'];
if (wants('corpus') && corpus === undefined)
  console.log('DETECTION_CORPUS names no folder: no labelled requests are judged.');
else if (wants('corpus')) measureCorpus(corpus!);
if (wants('mutations')) measureMutations();
if (wants('negatives')) measureNegatives();
if (wants('answers')) measureAnswers();
printResult('detection', {}, figures);

function measureCorpus(folder: string): void {
  const tally = new Tally();
  const groups = new Tally();
  const missed: string[] = [];
  const mistaken: string[] = [];
  const started = process.cpuUsage();
  let count = 0;
  for (const kind of ['attacks', 'benign'])
    for (const file of readdirSync(join(folder, kind)).filter(
      (name) => name.endsWith('.http') && isOfThird(name),
    )) {
      const verdict = detect(parseMessage(readFileSync(join(folder, kind, file), 'latin1')), settings);
      const isBlocked = verdict.action === 'block';
      tally.add(kind, isBlocked);
      count += 1;
      for (const group of blockingGroups(verdict)) groups.add(`${group}, ${kind}`, true);
      if (kind === 'attacks' && !isBlocked) missed.push(`${file} ${worst(verdict)}`);
      if (kind === 'benign' && isBlocked) mistaken.push(`${file} ${worst(verdict)}`);
    }
  const { user } = process.cpuUsage(started);
  tally.print('Blocked, of the labelled requests:');
  groups.print('By group (a request may be in several):');
  printSome('Missed:', missed);
  printSome('Taken for attacks:', mistaken);
  figures['detection'] = tally.share('attacks');
  figures['false_positive'] = tally.share('benign');
  figures['cpu_us'] = user / count;
}

function isOfThird(file: string): boolean {
  const wanted = process.env['DETECTION_THIRD'];
  if (wanted === undefined) return true;
  const isUnseen = createHash('sha256').update(`third:${file}`).digest().readUInt32BE(0) % 3 === 0;
  return wanted === 'unseen' ? isUnseen : !isUnseen;
}

function blockingGroups({ findings }: Verdict): Set<string> {
  return new Set(findings.filter(({ score }) => score >= 5).map(({ group }) => group));
}

function worst({ score, findings }: Verdict): string {
  const finding = findings.toSorted((a, b) => b.score - a.score)[0];
  return finding === undefined
    ? `${score}`
    : `${score} ${finding.detector} in ${finding.place} ${finding.part}: ${finding.why}`;
}

function printSome(title: string, lines: string[]): void {
  if (lines.length === 0) return;
  console.log(title);
  for (const line of lines.slice(0, shownMax))
    console.log(`  ${line.replaceAll(/[^\x20-\x7e]/g, '·').slice(0, 200)}`);
  if (lines.length > shownMax) console.log(`  and ${lines.length - shownMax} more`);
}

function isAttack(request: DetectRequest): boolean {
  return detect(request, settings).action === 'block';
}

function measureMutations(): void {
  const tally = new Tally();
  const missed = new Map<string, number>();
  for (const { class: name, ways, payload, request } of mutations()) {
    const isFound = isAttack(request);
    for (const each of ['all', name, ...ways]) tally.add(each, isFound);
    const key = `${name}: ${payload.slice(-120)}`;
    if (!isFound) missed.set(key, (missed.get(key) ?? 0) + 1);
  }
  tally.print('Found, of attacks written in many ways:');
  printSome(
    'Missed most:',
    [...missed].sort((a, b) => b[1] - a[1]).map(([key, times]) => `${times} × ${key}`),
  );
  figures['mutations'] = tally.share('all');
}

function measureNegatives(): void {
  const tally = new Tally();
  const mistaken: string[] = [];
  for (const { kind, text, request } of hardNegatives(negatives)) {
    const verdict = detect(request, settings);
    const isMistaken = verdict.action === 'block';
    for (const each of ['all', kind]) tally.add(each, isMistaken);
    if (isMistaken) mistaken.push(`${kind}, ${worst(verdict)}: ${text}`);
  }
  tally.print('Taken for attacks, of harmless requests that look like them:');
  printSome('Such as:', mistaken);
  figures['hard_negatives'] = tally.share('all');
}

/** The same texts on their way to visitors: shown by a page, as it is and as its source, as a file, and as data. */
function measureAnswers(): void {
  const tally = new Tally();
  const mistaken: string[] = [];
  for (const { kind, text } of hardNegatives(negatives)) {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const answers: [LeakAnswer['type'], string][] = [
      ['html', `<!doctype html><title>a</title><p>${escaped}</p>`],
      ['html', `<!doctype html><title>a</title><div>${text}</div>`],
      ['plain', text],
      ['json', JSON.stringify({ text })],
      ['script', `const text = ${JSON.stringify(text)};`],
    ];
    for (const [type, content] of answers) {
      const found = leaksIn({ type, status: 200, path: '/', text: content, isWhole: true });
      const isMistaken = found.some(({ score }) => score >= 5);
      for (const each of ['all', kind]) tally.add(each, isMistaken);
      if (isMistaken) mistaken.push(`${kind}, ${found.map(({ kind: leak }) => leak).join(' ')}: ${text}`);
    }
  }
  tally.print('Taken for leaks, of harmless answers:');
  printSome('Such as:', mistaken);
  figures['answers'] = tally.share('all');
}
