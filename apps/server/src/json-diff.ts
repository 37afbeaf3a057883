export interface DiffEntry {
  path: string;
  before?: JsonValue;
  after?: JsonValue;
}
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** What changed between two values of JSON, by dotted path; lists are compared place by place. */
export function diffJson(before: unknown, after: unknown, path = ''): DiffEntry[] {
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => diffJson(before[key], after[key], path === '' ? key : `${path}.${key}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const entry: DiffEntry = { path };
  if (before !== undefined) entry.before = before as JsonValue;
  if (after !== undefined) entry.after = after as JsonValue;
  return [entry];
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
