import { linksMax } from '@breakwater/contract';
import { unescapeXml } from './xml-text.ts';

/**
 * What a DASH presentation (ISO/IEC 23009-1) lists: initial parts, then segments, of every representation. Of one that goes on by the clock
 * (`dynamic`, without a timeline) nobody can tell from the list which segments there are: initial parts alone.
 */
export function mpdLinks(text: string, base: string): string[] {
  const mpd = read(text).children.find(({ name }) => name === 'MPD');
  return mpd ? [...linksIn(mpd, base).take(linksMax)] : [];
}

function* linksIn(mpd: Element, base: string): Generator<string> {
  const isLive = mpd.attributes['type'] === 'dynamic';
  const root = { base: within(mpd, base), descriptions: [] };
  const periods = childrenOf(mpd, 'Period');
  for (const [index, period] of periods.entries()) {
    const seconds = isLive ? undefined : secondsOf(mpd, periods, index);
    const ofPeriod = inside(root, period);
    for (const set of childrenOf(period, 'AdaptationSet')) {
      const ofSet = inside(ofPeriod, set);
      for (const one of childrenOf(set, 'Representation')) yield* linksOf(inside(ofSet, one), one, seconds);
    }
  }
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** No checking reader: what is no XML gives little or nothing. Names without their prefix. */
function read(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const plain = text.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '');
  for (const [, end, name = '', attributes = '', alone, content] of plain.matchAll(
    /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g,
  )) {
    const parent = open.at(-1)!;
    if (content !== undefined) parent.text += content;
    else if (end === '/') {
      if (open.length > 1) open.pop();
    } else {
      const element = { name: bare(name), attributes: attributesOf(attributes), children: [], text: '' };
      parent.children.push(element);
      if (alone === '') open.push(element);
    }
  }
  return root;
}

const bare = (name: string): string => name.slice(name.indexOf(':') + 1);

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
      ([, name, double, single]) => [name!, unescapeXml(double ?? single ?? '')] as const,
    ),
  );

const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((child) => child.name === name);

/** The address that links within it are relative to; of several the first. */
function within(element: Element, base: string): string {
  const own = childrenOf(element, 'BaseURL')[0]?.text.trim();
  return own === undefined ? base : (URL.parse(unescapeXml(own), base)?.href ?? base);
}

/** What is said of segments so far, the nearest last. */
interface Place {
  base: string;
  descriptions: Element[];
}

const inside = ({ base, descriptions }: Place, element: Element): Place => ({
  base: within(element, base),
  descriptions: [
    ...descriptions,
    ...element.children.filter(({ name }) =>
      ['SegmentTemplate', 'SegmentList', 'SegmentBase'].includes(name),
    ),
  ],
});

/** Its own length, until the next begins, or until the end of all; nothing where none of these is said. */
function secondsOf(mpd: Element, periods: readonly Element[], index: number): number | undefined {
  const { duration, start } = periods[index]!.attributes;
  if (duration !== undefined) return durationOf(duration);
  const next = periods[index + 1];
  const end = durationOf(next ? next.attributes['start'] : mpd.attributes['mediaPresentationDuration']);
  return end === undefined ? undefined : end - (durationOf(start) ?? 0);
}

/** ISO 8601, without years and months. */
function durationOf(text: string | undefined): number | undefined {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text ?? '');
  if (!match) return undefined;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

function* linksOf(
  { base, descriptions }: Place,
  representation: Element,
  seconds: number | undefined,
): Generator<string> {
  const nearest = descriptions.at(-1);
  if (!nearest || nearest.name === 'SegmentBase') {
    yield base;
    return;
  }
  const own = descriptions.filter(({ name }) => name === nearest.name);
  // What a nearer one does not say, the one around it does.
  const attributes: Element['attributes'] = {};
  for (const each of own) Object.assign(attributes, each.attributes);
  const child = (name: string) => own.findLast((each) => childrenOf(each, name).length > 0);
  const resolved = (link: string) => URL.parse(link, base)?.href;
  if (nearest.name === 'SegmentList') {
    const [first] = childrenOf(child('Initialization') ?? nearest, 'Initialization');
    const media = childrenOf(child('SegmentURL') ?? nearest, 'SegmentURL').map(
      (each) => each.attributes['media'],
    );
    for (const link of [first?.attributes['sourceURL'], ...media]) {
      const url = link === undefined ? base : resolved(link);
      if (url !== undefined) yield url;
    }
    return;
  }
  const filled = (template: string | undefined, values: Record<string, string>) => {
    const named = {
      ...values,
      RepresentationID: representation.attributes['id'] ?? '',
      Bandwidth: representation.attributes['bandwidth'] ?? '',
    };
    const url = template === undefined ? undefined : resolved(fill(template, named));
    return url === undefined ? [] : [url];
  };
  yield* filled(attributes['initialization'], {});
  const timeline = childrenOf(child('SegmentTimeline') ?? nearest, 'SegmentTimeline')[0];
  for (const { number, time } of timeline
    ? timed(timeline, attributes, seconds)
    : counted(attributes, seconds))
    yield* filled(attributes['media'], { Number: String(number), Time: String(time) });
}

/** `$Number%05d$`; `$$` is the sign itself. */
const fill = (template: string, values: Record<string, string>): string =>
  template.replace(
    /\$(?:([A-Za-z]+)(?:%0(\d{1,2})d)?)?\$/g,
    (all, name: string | undefined, width: string | undefined) =>
      name === undefined ? '$' : (values[name]?.padStart(Number(width ?? 0), '0') ?? all),
  );

interface Segment {
  number: number;
  time: number;
}

const numberOf = (text: string | undefined, otherwise: number): number => {
  const value = Number(text ?? otherwise);
  return Number.isFinite(value) ? value : otherwise;
};

/** Of one length each, until the end of the period. */
function* counted(attributes: Record<string, string>, seconds: number | undefined): Generator<Segment> {
  const start = numberOf(attributes['startNumber'], 1);
  const length = numberOf(attributes['duration'], 0) / numberOf(attributes['timescale'], 1);
  const count = length > 0 && seconds !== undefined ? Math.ceil(seconds / length - 1e-6) : 0;
  const end = Math.min(numberOf(attributes['endNumber'], Infinity), start + Math.min(count, linksMax) - 1);
  for (let number = start; number <= end; number++)
    yield { number, time: (number - start) * numberOf(attributes['duration'], 0) };
}

/** `S` says the length of one, and how often more it comes; negative: until the next that says when, or the end. */
function* timed(
  timeline: Element,
  attributes: Record<string, string>,
  seconds: number | undefined,
): Generator<Segment> {
  const items = childrenOf(timeline, 'S').map((each) => each.attributes);
  const first = numberOf(attributes['startNumber'], 1);
  let number = first;
  let time = 0;
  for (const [index, { t, d, r }] of items.entries()) {
    time = numberOf(t, time);
    const length = numberOf(d, 0);
    if (length <= 0) return;
    const offset = numberOf(attributes['presentationTimeOffset'], 0);
    const end = numberOf(
      items[index + 1]?.['t'],
      offset + (seconds ?? 0) * numberOf(attributes['timescale'], 1),
    );
    const times = numberOf(r, 0) < 0 ? Math.ceil((end - time) / length) : numberOf(r, 0) + 1;
    for (let each = 0; each < times; each++, number++, time += length) {
      if (number - first >= linksMax) return;
      yield { number, time };
    }
  }
}
