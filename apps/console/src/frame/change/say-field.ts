import { permissionText, type DocumentKind, type Language, type Permission } from '@breakwater/contract';
import type { DiffEntry } from '@breakwater/contract/json-diff';
import { formatBytes, formatDateTime, formatMoney } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { fieldText } from './field.text.ts';

/** What things are called whose ids stand in a field: of its name without `_id` or `_ids`. */
export type NameOf = (of: string, id: number) => string;

/** A change of a plain thing or a setting as a sentence: what its field is called, and its values in words. */
export function sayFieldChange(
  { path, before, after, from }: DiffEntry,
  language: Language,
  nameOf: NameOf,
): string {
  const t = fieldText[language];
  const label = documentOf(path, language, nameOf) ?? labelOf(path, language);
  const value = (side: unknown) => sayValue(path, side, language, nameOf);
  const place = Number(path.split('.').at(-1));
  if (from !== undefined) return t.moved(label, value(after ?? before), from + 1, place + 1);
  // An item of a list.
  if (!Number.isNaN(place) && (before === undefined || after === undefined))
    return (before === undefined ? t.added : t.removed)(label, value(after ?? before));
  if (before === undefined) return t.is(label, value(after));
  return t.changed(label, value(before), value(after));
}

/** What the field at a dotted path is called; of a path that nothing is known of, the path. */
export function labelOf(path: string, language: Language): string {
  const t = fieldText[language];
  const names: Readonly<Record<string, string>> = t.names;
  const fields = fieldsOf(path);
  const parameter = isParameter(path) && fields[1];
  if (parameter && Object.hasOwn(t.parameters, parameter)) return t.parameters[parameter]!;
  const known = (name: string) => (Object.hasOwn(names, name) ? names[name] : undefined);
  return fields.some(known) ? fields.map((name) => known(name) ?? name).reduce(t.inside) : path;
}

/** What a document of nodes is called, which events name by its kind and key: `certificate/3`, `level/client-4`. */
function documentOf(path: string, language: Language, nameOf: NameOf): string | undefined {
  const { documents } = fieldText[language];
  const [, kind = '', of, id] = /^(\w+)\/(?:([a-z]+)-)?(\d+)$/.exec(path) ?? [];
  const [known = path] = path.split('/');
  if (!Object.hasOwn(documents, known)) return undefined;
  const word = documents[known as DocumentKind];
  return id === undefined ? word : `${word} ${nameOf(of ?? ofDocument[kind] ?? kind, Number(id))}`;
}
/** What documents are of that are called otherwise than what they are made from. */
const ofDocument: Readonly<Record<string, string>> = { acme_challenge: 'certificate_order' };

/** What an account has for its provider. */
const isParameter = (path: string): boolean => path.startsWith('params.');

const fieldsOf = (path: string): string[] => path.split('.').filter((part) => !/^\d*$/.test(part));

export function sayValue(path: string, value: unknown, language: Language, nameOf: NameOf): string {
  const t = fieldText[language];
  const kit = kitText[language];
  if (Array.isArray(value) && value.length > 0)
    return value.map((each) => sayValue(path, each, language, nameOf)).join(t.list);
  const isNothing = value === undefined || value === null || value === '' || Array.isArray(value);
  if (isNothing) return t.empty;
  if (typeof value === 'boolean') return value ? kit.yes : kit.no;
  if (typeof value !== 'string' && typeof value !== 'number') return noteOf(value) ?? JSON.stringify(value);
  const [outer = '', field = outer] = fieldsOf(path).slice(-2);
  const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = t.values;
  const known = Object.hasOwn(choices, field) ? choices[field]?.[String(value)] : undefined;
  if (known !== undefined) return known;
  if (field === 'permissions') return sayPermission(String(value), language);
  if (isOfIds(field) && !isParameter(path) && /^\d+(?:, ?\d+)*$/.test(String(value)))
    return sayIds(field.replace(/_ids?$/, ''), String(value), nameOf).join(t.list);
  if (typeof value === 'number') return sayNumber(outer, field, value);
  return (isTime(value) && formatDateTime(value, language)) || value;
}

/** Rules are known by what is noted of them. */
function noteOf(value: object): string | undefined {
  const { note } = value as { note?: unknown };
  return typeof note === 'string' && note !== '' ? note : undefined;
}

/** What an authority calls the id of a key names nothing of the platform's. */
const isOfIds = (field: string): boolean => /(?<!_key)_ids?$/.test(field);

/** Ids that an event holds are one, or several in a text. */
const sayIds = (of: string, ids: string, nameOf: NameOf): string[] =>
  ids.split(',').map((id) => nameOf(of, Number(id)));

function sayNumber(outer: string, field: string, value: number): string {
  if (field === 'price' || outer === 'prices') return formatMoney(value);
  return /_bytes(?:_max)?$/.test(field) ? formatBytes(value) : String(value);
}

const isTime = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

function sayPermission(name: string, language: Language): string {
  const { subjects, permissions } = permissionText[language];
  const [subject = ''] = name.split('.');
  if (!Object.hasOwn(permissions, name)) return name;
  return `${subjects[subject as keyof typeof subjects]} · ${permissions[name as Permission]}`;
}

/** The ids that sentences about these changes name, by what they are of. */
export function idsIn(entries: readonly DiffEntry[], language: Language): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  const note: NameOf = (of, id) => {
    const ids = found.get(of) ?? new Set();
    found.set(of, ids.add(id));
    return '';
  };
  for (const entry of entries) sayFieldChange(entry, language, note);
  return found;
}
