import { normalizePath, splitTarget } from '../http/path.ts';
import { readingsOf, type Budget } from './decode.ts';
import { detectorsOf, subjectOf } from './detectors.ts';
import { addOnce, type Collected } from './extract-form.ts';
import { addJson, looksLikeJson } from './extract-json.ts';
import { extract } from './extract.ts';
import { bytesOf } from './marks.ts';
import { blocks, isExcepted, leastOf, logScore, modeOf, weighed } from './score.ts';
import type { DetectRequest, DetectSettings, Detector, Finding, Part, Subject, Verdict } from './types.ts';

/** How much of a value is judged at once, and how far two such pieces overlap. */
const pieceBytes = 8192;
const overlapBytes = 512;
/** How much one request may make the detectors read: all it sent, and as much again and more in decodings. */
const readBytes = 4_000_000;
/** How much the detectors themselves may read where a gate lets through. */
const judgedBytes = 600_000;
const findingsMax = 20;
const wordBytes = 5;
const nestingMax = 3;

interface Run {
  settings: DetectSettings;
  path: string;
  verdict: Verdict;
  readings: Budget;
  judged: number;
  /** How often a detector has found something that counts, with exceptions or without. */
  hits: number;
  /** Tests switch the gates off, and find the same. */
  isGated: boolean;
}

/** What of a request is an attack, by which detector, and what is to be done. */
export function detect(request: DetectRequest, settings: DetectSettings): Verdict {
  return detectWith(request, settings, true);
}

export function detectWith(request: DetectRequest, settings: DetectSettings, isGated: boolean): Verdict {
  const verdict: Verdict = { action: 'pass', score: 0, findings: [], capped: [] };
  const path = normalizePath(splitTarget(request.target).path);
  const readings: Budget = { bytes: readBytes, isCapped: false };
  const run: Run = { settings, path, verdict, readings, judged: 0, hits: 0, isGated };
  const { parts, capped } = extract(request);
  for (const part of parts) judgePart(run, part, 0);
  for (const each of capped) addOnce(verdict.capped, each);
  if (run.readings.isCapped) addOnce(verdict.capped, 'readings');
  return verdict;
}

/** Values that were found harmless, since most of them come again: agents, languages, names of sorts. The oldest go all at once. */
interface Memo {
  clean: Record<string, boolean>;
  count: number;
}

const memoBytes = 256;
const memoMax = 5000;
const ofHeaders: Memo = { clean: {}, count: 0 };
const ofAgents: Memo = { clean: {}, count: 0 };
const ofValues: Memo = { clean: {}, count: 0 };

/** Nothing where the place or the name decides, too. */
function memoOf({ place, name, isName }: Part): Memo | undefined {
  if (place === 'header') return name === 'user-agent' ? ofAgents : ofHeaders;
  return !isName && (place === 'query' || place === 'form') ? ofValues : undefined;
}

function remember(memo: Memo, text: string): void {
  if (memo.count >= memoMax) {
    memo.clean = {};
    memo.count = 0;
  }
  memo.clean[text] = true;
  memo.count += 1;
}

/** Long values in pieces, so that no padding hides anything. */
function judgePart(run: Run, part: Part, nesting: number): void {
  if (part.value.length <= pieceBytes) {
    judgeReadings(run, part, part.value, 0, nesting);
    return;
  }
  for (let start = 0; start < part.value.length; start += pieceBytes - overlapBytes) {
    if (run.readings.bytes <= 0) {
      run.readings.isCapped = true;
      return;
    }
    judgeReadings(run, part, part.value.substring(start, start + pieceBytes), start, nestingMax);
  }
}

function judgeReadings(run: Run, part: Part, text: string, start: number, nesting: number): void {
  run.readings.bytes -= text.length;
  const memo = run.isGated && text.length <= memoBytes ? memoOf(part) : undefined;
  if (memo !== undefined && memo.clean[text] === true) return;
  const hits = run.hits;
  const bytes = bytesOf(text);
  // Most values are a word or a number, too short to hide anything.
  if (run.isGated && text.length < wordBytes && bytes === 0) return;
  for (const reading of readingsOf(text, bytes, run.readings)) {
    if (nesting < nestingMax && part.place !== 'header' && looksLikeJson(reading.text)) {
      const inside: Collected = { parts: [], capped: [] };
      if (addJson(inside, part.place, reading.text, part.name, [...part.steps, ...reading.steps])) {
        for (const inner of inside.parts) judgePart(run, inner, nesting + 1);
        continue;
      }
    }
    judgeSubject(run, subjectOf(part, reading), start);
  }
  if (memo !== undefined && run.hits === hits && run.verdict.capped.length === 0 && !run.readings.isCapped)
    remember(memo, text);
}

function judgeSubject(run: Run, subject: Subject, start: number): void {
  for (const detector of detectorsOf(subject.part)) {
    if (run.isGated && !detector.mayFind(subject)) continue;
    if (modeOf(run.settings, detector.group) === 'off') {
      // What nobody looked for is not known to be harmless.
      run.hits += 1;
      continue;
    }
    if (run.judged > judgedBytes) {
      addOnce(run.verdict.capped, 'judged');
      return;
    }
    if (subject.text.length > 1000) run.judged += subject.text.length;
    judgeBy(run, detector, subject, start);
  }
}

function judgeBy(run: Run, detector: Detector, subject: Subject, start: number): void {
  const hit = detector.find(subject);
  if (hit === undefined) return;
  const score = weighed(detector, hit, subject);
  const { part } = subject;
  if (score >= logScore) run.hits += 1;
  if (
    score < logScore ||
    score < leastOf(run.settings, part) ||
    isExcepted(run.settings, run.path, part, detector)
  )
    return;
  const steps = [...part.steps, ...subject.steps];
  addFinding(run, {
    detector: detector.name,
    group: detector.group,
    place: part.place,
    part: part.name,
    offset: start + hit.offset,
    score,
    why: hit.why,
    steps,
  });
}

/** Only one finding for each detector and part: that with the highest score. */
function addFinding({ verdict, settings }: Run, finding: Finding): void {
  const mode = modeOf(settings, finding.group);
  if (finding.score > verdict.score) verdict.score = finding.score;
  if (blocks(mode, finding.score)) verdict.action = 'block';
  else if (verdict.action === 'pass') verdict.action = 'observe';
  for (let index = 0; index < verdict.findings.length; index++) {
    const other = verdict.findings[index]!;
    if (other.detector !== finding.detector || other.part !== finding.part || other.place !== finding.place)
      continue;
    if (finding.score > other.score) verdict.findings[index] = finding;
    return;
  }
  if (verdict.findings.length < findingsMax) verdict.findings.push(finding);
  else addOnce(verdict.capped, 'findings');
}
