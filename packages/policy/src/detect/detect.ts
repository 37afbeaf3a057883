import { splitTarget } from '../http/path.ts';
import { keep } from '../lib/holding.ts';
import { mayStandForText, readingsOf, type Budget } from './decode.ts';
import { detectorsOf, subjectOf, wordsIn } from './detectors.ts';
import { isTypeName } from './deserialisation.ts';
import { addField, addFields, addOnce, partsMax, type Collected } from './extract-form.ts';
import { addJson, looksLikeJson } from './extract-json.ts';
import { addContent, addSource, extract, sourceOfLine, type Source } from './extract.ts';
import {
  heldSources,
  heldValues,
  isHarmlessTarget,
  isHeld,
  isQuiet,
  keepField,
  keepJson,
  keepTarget,
  nameOfField,
} from './harmless.ts';
import { bytesOf } from './marks.ts';
import { blocks, isExcepted, leastOf, logScore, modeOf, weighed } from './score.ts';
import { knownIn } from './known.ts';
import type {
  DetectRequest,
  DetectSettings,
  Detector,
  Finder,
  Finding,
  Hit,
  Part,
  Subject,
  Verdict,
} from './types.ts';

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
const excerptBefore = 10;
const excerptAfter = 60;

interface Run {
  settings: DetectSettings;
  /** As sent, with its query. */
  target: string;
  time: number;
  verdict: Verdict;
  readings: Budget;
  judged: number;
  /** How many fields of queries were looked at. */
  fields: number;
  /** How often a detector has found something that counts, with exceptions or without. */
  hits: number;
  /** Tests switch the gates off, and find the same. */
  isGated: boolean;
}

/** What of a request is an attack, by which detector, and what is to be done. */
export function detect(request: DetectRequest, settings: DetectSettings): Verdict {
  return detectWith(request, settings, true);
}

function begin(request: DetectRequest, settings: DetectSettings, isGated: boolean): Run {
  return {
    settings,
    target: request.target,
    time: request.time ?? 0,
    verdict: { action: 'pass', score: 0, findings: [], capped: [] },
    readings: { bytes: readBytes, isCapped: false },
    judged: 0,
    fields: 0,
    hits: 0,
    isGated,
  };
}

export function detectWith(request: DetectRequest, settings: DetectSettings, isGated: boolean): Verdict {
  const run = begin(request, settings, isGated);
  if (isGated) {
    if (!isHarmlessTarget(request.target)) judgeTarget(run);
    for (const line of request.headers) judgeSource(run, sourceOfLine(line));
    judgeContent(run, request);
  } else judgeParts(run, extract(request));
  judgeKnown(run, request, false);
  return concluded(run);
}

/** The same of what a request carries, where its head was judged before. */
export function detectContent(request: DetectRequest, settings: DetectSettings): Verdict {
  const run = begin(request, settings, true);
  judgeContent(run, request);
  return concluded(run);
}

function judgeContent(run: Run, request: DetectRequest): void {
  const into: Collected = { parts: [], capped: [], isOfUnknown: true };
  addContent(into, request);
  judgeParts(run, into);
  if (request.body !== '') judgeKnown(run, request, true);
}

const knownVulnerability: Finder = { name: 'known_vulnerability', group: 'known_vulnerability' };

/** By the rules for known vulnerabilities: exceptions name a rule where they name a parameter else. */
function judgeKnown(run: Run, request: DetectRequest, withBody: boolean): void {
  const { known } = run.settings;
  if (known === undefined || modeOf(run.settings, knownVulnerability.group) === 'off') return;
  for (const { id, isCertain } of knownIn(known, request, withBody)) {
    const part: Part = { place: 'path', name: id, value: request.target, isName: false, steps: [] };
    const hit = { score: isCertain ? 8 : 4, offset: 0, why: id };
    judgeHit(run, knownVulnerability, hit, hit.score, part, { text: request.target, steps: [] }, 0);
  }
}

function concluded({ verdict, readings }: Run): Verdict {
  if (readings.isCapped) addOnce(verdict.capped, 'readings');
  return verdict;
}

/** Of all that was found, what the log calls the request by: what it is blocked for, if it is, and of that the surest. */
export function worstOf({ findings }: Verdict): Finding | undefined {
  let worst: Finding | undefined;
  for (const finding of findings)
    if (
      worst === undefined ||
      (finding.blocks && !worst.blocks) ||
      (finding.blocks === worst.blocks && finding.score > worst.score)
    )
      worst = finding;
  return worst;
}

function judgeTarget(run: Run): void {
  const { path, query } = splitTarget(run.target);
  judgeSource(run, { place: 'path', name: '', text: path });
  if (query !== undefined) judgeSource(run, { place: 'query', name: '', text: query });
  if (isHarmlessSince(run, 0)) keepTarget(run.target);
}

/** A piece of a request, unless it was found harmless before. */
function judgeSource(run: Run, source: Source): void {
  const held = heldSources(source);
  if (isHeld(held, source.text)) return;
  const { hits } = run;
  if (source.place === 'query') judgeFields(run, source.text);
  else {
    const into: Collected = { parts: [], capped: [] };
    addSource(into, source);
    judgeParts(run, into);
  }
  if (held !== undefined && isHarmlessSince(run, hits)) keep(held, source.text, true);
}

/** Nothing was found since, and nothing left out. */
const isHarmlessSince = (run: Run, hits: number): boolean =>
  run.hits === hits && run.verdict.capped.length === 0 && !run.readings.isCapped;

function judgeParts(run: Run, { parts, capped }: Collected): void {
  for (const part of parts) {
    const { hits } = run;
    judgePart(run, part, 0);
    if (part.raw !== undefined && part.place === 'json' && !isTypeName(part) && isHarmlessSince(run, hits))
      keepJson(part.raw, part.isName);
  }
  for (const each of capped) addOnce(run.verdict.capped, each);
}

/** The fields of a query, each by itself; where a name stands again, also what its values make together. */
function judgeFields(run: Run, query: string): void {
  const names: Record<string, boolean> = {};
  let hasTwins = false;
  let start = 0;
  while (start <= query.length) {
    let stop = query.indexOf('&', start);
    if (stop < 0) stop = query.length;
    if (stop > start) {
      if (run.fields >= partsMax) {
        addOnce(run.verdict.capped, 'parts');
        break;
      }
      run.fields += 1;
      const name = judgeField(run, query.substring(start, stop));
      hasTwins ||= name !== '=' && names[name] === true;
      names[name] = true;
    }
    start = stop + 1;
  }
  if (!hasTwins) return;
  const into: Collected = { parts: [], capped: [] };
  addFields(into, 'query', query);
  for (const part of into.parts) if (isJoined(part)) judgePart(run, part, 0);
}

/** Answers with the field's name behind `=`. */
function judgeField(run: Run, field: string): string {
  const known = nameOfField(field);
  if (known !== undefined) return known;
  const { hits } = run;
  const into: Collected = { parts: [], capped: [] };
  addField(into, 'query', field);
  judgeParts(run, into);
  const first = into.parts[0];
  const name = `=${first === undefined ? '' : first.name}`;
  if (isHarmlessSince(run, hits)) keepField(field, name);
  return name;
}

const isJoined = ({ steps }: Part): boolean => steps.length > 0 && steps[steps.length - 1] === 'joined';

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
  const held = run.isGated ? heldValues(part) : undefined;
  if (isHeld(held, text)) return;
  const { hits } = run;
  const bytes = bytesOf(text);
  if (run.isGated && isQuiet(part, bytes)) {
    // Most values are a word or a number, too short to hide anything.
    if (text.length < wordBytes && bytes === 0) return;
    if (wordsIn(text) === 0 && !mayStandForText(text, bytes)) return;
  }
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
  if (held !== undefined && isHarmlessSince(run, hits)) keep(held, text, true);
}

function judgeSubject(run: Run, subject: Subject, start: number): void {
  for (const detector of detectorsOf(subject.part)) {
    if (run.isGated && !detector.mayFind(subject)) continue;
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
  judgeHit(run, detector, hit, score, subject.part, subject, start);
}

function judgeHit(
  run: Run,
  detector: Finder,
  hit: Hit,
  score: number,
  part: Part,
  subject: Pick<Subject, 'text' | 'steps'>,
  start: number,
): void {
  if (score < logScore) return;
  run.hits += 1;
  if (
    modeOf(run.settings, detector.group) === 'off' ||
    score < leastOf(run.settings, part) ||
    isExcepted(run.settings, run, part, detector)
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
    excerpt: subject.text.substring(
      hit.offset > excerptBefore ? hit.offset - excerptBefore : 0,
      hit.offset + excerptAfter,
    ),
    blocks: blocks(modeOf(run.settings, detector.group), score),
  });
}

/** Only one finding for each detector and part: that with the highest score. */
function addFinding({ verdict }: Run, finding: Finding): void {
  if (finding.score > verdict.score) verdict.score = finding.score;
  if (finding.blocks) verdict.action = 'block';
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
