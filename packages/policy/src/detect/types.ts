import type {
  SystemRuleDetector as DetectorName,
  SystemRuleFieldType,
  SystemRuleGroup as Group,
  SystemRuleMode as Mode,
} from '@breakwater/contract/site-config/used-system-rule';
import type { PreparedKnown } from './known-rules.ts';

export type { DetectorName, Group, Mode };

/** What the detectors take and give. All strings are byte strings: one character per byte. */

export type Place =
  | 'path'
  | 'query'
  | 'form'
  | 'json'
  | 'xml'
  | 'file_name'
  | 'file'
  | 'body'
  | 'cookie'
  | 'referer'
  | 'header';

export interface HeaderLine {
  name: string;
  value: string;
}

/** A request as it came in. */
export interface DetectRequest {
  method: string;
  /** Path and query as the visitor wrote them. */
  target: string;
  headers: HeaderLine[];
  /** What was read of the body. */
  body: string;
  /** The body goes on after what was read. */
  bodyIsCut?: boolean;
  /** When it came, in seconds since 1970, for exceptions that end; absent: before all of them do. */
  time?: number;
}

/** One value of a request (or one name, which some software puts into its answers and queries as it does values). */
export interface Part {
  place: Place;
  /** The parameter's name, a JSON path (`user.name`), a header's name in lower case. */
  name: string;
  value: string;
  isName: boolean;
  /** What was decoded to get at it, such as `url` or `json`. */
  steps: string[];
  /** Of a text of JSON: as it stands between its quotes. */
  raw?: string;
}

/** One reading of a part: as sent, or after some decoding. */
export interface Subject {
  part: Part;
  text: string;
  /** `text` with ASCII letters in lower case. */
  lower: string;
  steps: string[];
  /** Bits of `byteBits` that occur. */
  bytes: number;
  /** Bits of `wordBits` that occur. */
  words: number;
  /** Text of several lines, as people paste it. */
  isPasted: boolean;
}

/** What a detector found: 8 to 10 a complete injection, 6 and 7 a strong sign, 5 enough to block, 4 worth a line in the log. */
export interface Hit {
  score: number;
  /** In the reading that was judged, from 0. */
  offset: number;
  why: string;
}

/** What found something, as exceptions and the log name it. */
export interface Finder {
  name: DetectorName;
  group: Group;
}

export interface Detector extends Finder {
  /** Whether the detector can find anything here; cheap, and never false where `find` would find something. */
  mayFind: (this: void, subject: Subject) => boolean;
  find: (this: void, subject: Subject) => Hit | undefined;
}

/** What is not judged: all the parts that are given have to agree. */
export interface DetectException {
  /** The request's path; with `*` at its end all that begin so. */
  path?: string;
  /** A parameter's name. */
  parameter?: string;
  detector?: DetectorName;
  /** Until when, in seconds since 1970; absent: for good. */
  until?: number;
}

/** What a field is for, where the site's owner knows it. */
export interface FieldType {
  parameter: string;
  type: SystemRuleFieldType;
}

export interface DetectSettings {
  /** Of groups that are not named: `default`. */
  modes: Partial<Record<Group, Mode>>;
  exceptions: DetectException[];
  fields: FieldType[];
  /** Rules for known vulnerabilities, where there are any. */
  known?: PreparedKnown | undefined;
}

/** What is looked for in answers. */
export interface LeakSettings {
  mode: Mode;
  exceptions: DetectException[];
}

export interface Finding {
  detector: DetectorName;
  group: Group;
  place: Place;
  part: string;
  offset: number;
  score: number;
  why: string;
  steps: string[];
  /** What was found, as it reads after those steps, with a little before it. */
  excerpt: string;
  /** By its group's mode the request is blocked for it. */
  blocks: boolean;
}

export interface Verdict {
  action: 'pass' | 'observe' | 'block';
  /** The highest of all findings, 0 without any. */
  score: number;
  findings: Finding[];
  /** What was not looked at because there was too much of it. */
  capped: string[];
}
