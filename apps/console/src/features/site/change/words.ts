import { isInheritedSection, siteSections, type Language, type SiteSection } from '@breakwater/contract';
import { diffJson, type DiffEntry } from '@breakwater/contract/json-diff';
import { isRecord, isSame, type Fields } from '@breakwater/contract/list-items';
import type * as z from 'zod';
import { siteChangeText } from './change.text.ts';
import { configWords } from './fields.ts';
import type { FieldWords, ListWords, Names, Words } from './field.ts';

/** What changed of a configuration, a sentence for each change, under what its section is called. */
export interface SaidChanges {
  /** Empty for fields that stand in no section: domains and status. */
  heading: string;
  lines: string[];
}

export function sayChanges(entries: readonly DiffEntry[], language: Language, names: Names): SaidChanges[] {
  const words = configWords(language).fields;
  const t = siteChangeText[language];
  const said = new Map<string, Line[]>();
  // Sections stand in the order in which they first occur, which a `Map` keeps.
  for (const entry of entries.flatMap(expanded)) {
    const [first = '', ...rest] = entry.path.split('.');
    const root = Object.hasOwn(words, first) ? words[first]! : undefined;
    const heading = root?.kind === 'group' ? root.label : '';
    const context = { t, names, isInherited: isInheritedSection(first), outer: '', depth: 0 };
    const lines = said.get(heading) ?? [];
    said.set(heading, lines);
    // The heading says it already.
    lines.push(...say(root?.kind === 'group' ? { ...root, label: '' } : root, rest, entry, context));
  }
  return [...said].map(([heading, lines]) => ({ heading, lines: joined(lines, t) }));
}

/**
 * What stands at the path of an entry, in the words of its field: of a list of items what each of them is; nothing where that is a
 * group.
 */
export function sayValueAt(
  { path, after }: DiffEntry,
  language: Language,
  names: Names,
): string | string[] | undefined {
  let words: Words | undefined = configWords(language);
  for (const part of path.split('.')) {
    if (words?.kind === 'field') break;
    // What stands at a place of a list is its item, of which the next part is a field.
    if (words?.kind === 'list' && /^\d+$/.test(part)) continue;
    words = words && fieldOf(words.fields, part);
  }
  if (words?.kind === 'list' && Array.isArray(after)) {
    const { summary } = words;
    return after.length > 0
      ? after.map((item) => summary(item as never, names))
      : siteChangeText[language].empty;
  }
  return words?.kind === 'field' && !words.isSecret ? words.say(after, names) : undefined;
}

/** A whole section that came or went is told by what it sets otherwise than by default. */
function expanded(entry: DiffEntry): DiffEntry[] {
  const { path, before, after } = entry;
  if (!Object.hasOwn(siteSections, path)) return [entry];
  const byDefault = defaultsOf(path as SiteSection);
  const whole = (side: unknown) => ({ ...byDefault, ...(isRecord(side) ? side : {}) });
  return diffJson(whole(before), whole(after), path);
}

/** Origins have no default, so a section as a whole may have none. */
function defaultsOf(section: SiteSection): Fields {
  const schema = siteSections[section];
  const fields: Record<string, z.ZodType> = 'unwrap' in schema ? schema.unwrap().shape : schema.shape;
  const values = Object.entries(fields).map(
    ([name, field]) => [name, field.safeParse(undefined).data] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

type Text = (typeof siteChangeText)['zh'];
interface Context {
  t: Text;
  names: Names;
  /** What is absent is as a level has it. */
  isInherited: boolean;
  /** The items and groups around. */
  outer: string;
  /** How many lists are around. */
  depth: number;
}
/** A sentence, or a plain value that a list gained, lost or moved: several of one list are one sentence. */
type Line =
  | string
  | { label: string; change: 'added' | 'removed' | 'moved'; value: string }
  // An item that came or went: of those that are said alike the place is told.
  | { item: string; place: number };

/** `path` is what is left of the entry's path below the words. */
function say(words: Words | undefined, path: readonly string[], entry: DiffEntry, context: Context): Line[] {
  // A field that the contract no longer has, out of an old revision. That a secret is stored says nothing of its own.
  if (words === undefined) return path.at(-1)?.endsWith('_set') ? [] : [rawLine(entry)];
  if (words.kind === 'field') return sayField(words, path, entry, context);
  if (words.kind === 'list') return sayList(words, path, entry, context);
  const inside = { ...context, outer: within(context, words.label) };
  const [name, ...rest] = path;
  if (name !== undefined) return say(fieldOf(words.fields, name), rest, entry, inside);
  const [before, after] = [asFields(entry.before), asFields(entry.after)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((each) =>
    isSame(before[each], after[each])
      ? []
      : say(fieldOf(words.fields, each), [], partOf(entry, each, before, after), inside),
  );
}

const fieldOf = (fields: Record<string, Words>, name: string): Words | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

const asFields = (value: unknown): Fields => (isRecord(value) ? value : {});

const partOf = (entry: DiffEntry, name: string, before: Fields, after: Fields): DiffEntry =>
  ({
    path: `${entry.path}.${name}`,
    ...(before[name] === undefined ? {} : { before: before[name] }),
    ...(after[name] === undefined ? {} : { after: after[name] }),
    ...(entry.of === undefined ? {} : { of: entry.of }),
  }) as DiffEntry;

const within = ({ t, outer }: Context, label: string): string =>
  outer === '' || label === '' ? outer + label : t.within(outer, label);

/** Something that no schema knows any more. */
const rawLine = ({ path, before, after }: DiffEntry): string =>
  `${path}: ${[before, after].flatMap((side) => (side === undefined ? [] : [JSON.stringify(side)])).join(' → ')}`;

function sayField(words: FieldWords, path: readonly string[], entry: DiffEntry, context: Context): Line[] {
  const { t, names } = context;
  const { before, after, from } = entry;
  // One entry of a list of plain values, such as `domains.2`.
  if (path.length > 0) {
    const label = within(context, words.label);
    const value = words.say([after ?? before], names);
    if (from !== undefined)
      return [{ label, change: 'moved', value: t.valueMoved(value, from + 1, Number(path[0]) + 1) }];
    return [{ label, change: before === undefined ? 'added' : 'removed', value }];
  }
  if (words.isSecret) {
    const what = after === undefined ? t.secretGone : before === undefined ? t.secretSet : t.secret;
    return [t.is(within(context, words.label), what)];
  }
  // The site itself is new: what is empty says nothing of it.
  if (before === undefined && !entry.path.includes('.'))
    return after === '' || after === 'none' ? [] : [t.is(words.label, words.say(after, names))];
  // Within an item of a list an absent field is as by default: lists are inherited as a whole.
  const side = (value: unknown) =>
    value === undefined && context.isInherited && context.depth === 0 ? t.inherited : words.say(value, names);
  const sentence = context.outer === '' ? t.changed : t.changedIn.bind(undefined, context.outer);
  return [sentence(words.label, side(before), side(after))];
}

function sayList(words: ListWords, path: readonly string[], entry: DiffEntry, context: Context): Line[] {
  const { t, names, depth } = context;
  const { before, after, of = [], from } = entry;
  const [place, ...rest] = path;
  const label = within(context, words.item);
  if (place === undefined) {
    // The list as a whole came or went, as one that is inherited from now on: told by its items.
    const parts = diffJson(before ?? [], after ?? [], '');
    const lines = parts.flatMap((part) =>
      say(words, part.path.split('.'), { ...part, of: [...of, ...(part.of ?? [])] }, context),
    );
    return lines.length > 0 ? lines : [t.changed(label, t.inherited, t.empty)];
  }
  if (rest.length === 0 && from === undefined)
    return [
      {
        item: (before === undefined ? t.added : t.removed)(
          label,
          words.summary((after ?? before) as never, names),
        ),
        place: Number(place) + 1,
      },
    ];
  // An item that was changed is named as it is in `of`; its place alone says little once others were moved.
  const name = of[depth] === undefined ? '' : words.name(of[depth] as never, names);
  if (from !== undefined && rest.length === 0)
    return [t.moved(t.item(label, Number(place) + 1, name), from + 1, Number(place) + 1)];
  // What it does may be what another one does as well.
  const isNamed = !('note' in words.fields) || asFields(of[depth])['note'];
  const item = (isNamed ? t.item : t.unnamed)(label, Number(place) + 1, name);
  const [field = '', ...deeper] = rest;
  return say(fieldOf(words.fields, field), deeper, entry, { ...context, outer: item, depth: depth + 1 });
}

/** Values of one list together, where the first of them stood. */
function joined(lines: readonly Line[], t: Text): string[] {
  const lists = Map.groupBy(
    lines.filter((line) => typeof line !== 'string' && 'label' in line),
    ({ label }) => label,
  );
  const items = Map.groupBy(
    lines.filter((line) => typeof line !== 'string' && 'item' in line),
    ({ item }) => item,
  );
  return lines.flatMap((line) => {
    if (typeof line === 'string') return [line];
    if ('item' in line) return [items.get(line.item)!.length > 1 ? t.at(line.item, line.place) : line.item];
    const all = lists.get(line.label)!;
    if (all[0] !== line) return [];
    const values = (change: typeof line.change) =>
      all.flatMap((each) => (each.change === change ? [each.value] : [])).join(t.list);
    const [added, removed, moved] = [values('added'), values('removed'), values('moved')];
    const parts = [added && t.valuesAdded(added), removed && t.valuesRemoved(removed), moved];
    return [t.is(line.label, parts.filter(Boolean).join(t.join))];
  });
}
