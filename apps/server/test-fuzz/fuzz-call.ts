import { filesOf, routes, type RouteName, type RouteSpec } from '@breakwater/contract';
import * as z from 'zod';
import type { Caller } from './callers.ts';
import { brokenEscapes, hostileBodies, hostileEncoded, toJson } from './hostile-values.ts';
import { faultsOf } from './judge.ts';
import type { Attempt, Outcome } from './requests.ts';
import { editsOf, exampleOf, expectedOf, fieldsOf, isRequired, type Values } from './schema-edits.ts';

/** What one caller did to one call. */
export interface Report {
  sent: number;
  /** The valid input's answer: below 400, the others got as far as the handler. */
  validStatus: number;
  /** What an answer broke, with the first request that had it. */
  faults: string[];
}

/** Of params and query each value is percent-encoded; a query may have a name twice. */
interface Input {
  params: Record<string, string>;
  query: [name: string, value: string][];
  body: unknown;
}
/** A body's text with its type. */
type Sent = [contentType: string, text: string] | undefined;

/** Sends a call everything that does not belong into it, one thing at a time, the rest of the input being valid. */
export async function fuzzCall(caller: Caller, name: RouteName): Promise<Report> {
  const spec: RouteSpec = routes[name];
  const values = await caller.valuesFor(spec.path);
  const faults = new Map<string, string>();
  let sent = 0;
  const send = async (attempt: Attempt, what: string): Promise<Outcome | undefined> => {
    sent += 1;
    const found = (fault: string) => faults.has(fault) || faults.set(fault, what);
    try {
      const headers = { ...attempt.headers, ...caller.headersOf(attempt) };
      const outcome = await caller.sender.send({ ...attempt, headers });
      for (const fault of faultsOf(spec, outcome)) found(fault);
      return outcome;
    } catch (error) {
      found(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const stored = await storedBody(caller, spec, values);
  const input = (): Input => validInput(spec, values, stored);
  const first = await send(attemptOf(spec, input()), 'a valid input');
  keepVersion(stored, first);
  for (const { what, attempt } of attemptsOf(spec, values, input))
    keepVersion(stored, await send(attempt, what));
  return {
    sent,
    validStatus: first?.status ?? 0,
    faults: [...faults].map(([fault, what]) => `${caller.name} ${name}: ${fault}: ${what}`),
  };
}

/** Sends a call one valid input, with values of an owner, whoever calls. */
export async function sendValid(
  caller: Caller,
  name: RouteName,
  values: Values,
  owner: Caller,
): Promise<Outcome> {
  const spec: RouteSpec = routes[name];
  const stored = await storedBody(owner, spec, values);
  const attempt = attemptOf(spec, validInput(spec, values, stored));
  return caller.sender.send({
    ...attempt,
    headers: { ...attempt.headers, ...caller.headersOf(attempt) },
  });
}

interface Try {
  what: string;
  attempt: Attempt;
}

function* attemptsOf(spec: RouteSpec, values: Values, input: () => Input): Generator<Try> {
  yield* inPath(spec, input);
  yield* inQuery(spec, input);
  if (spec.body && spec.transport !== 'raw') yield* inBody(spec, spec.body, values, input);
  if (spec.method === 'GET') return;
  for (const [type, text] of hostileBodies)
    yield {
      what: `a body of ${type}: ${text}`.slice(0, 100),
      attempt: attemptOf(spec, input(), [type, text]),
    };
  const large = JSON.stringify({ name: 'x'.repeat(Math.min(spec.bodyBytesMax ?? 65_536, 4 * 1024 * 1024)) });
  yield { what: 'a large body', attempt: attemptOf(spec, input(), ['application/json', large]) };
}

function* inPath(spec: RouteSpec, input: () => Input): Generator<Try> {
  for (const [name, field] of fieldsOf(spec.params))
    for (const value of [...hostileEncoded(expectedOf(field)), ...brokenEscapes]) {
      const { params, ...rest } = input();
      yield {
        what: `${name} = ${value}`,
        attempt: attemptOf(spec, { ...rest, params: { ...params, [name]: value } }),
      };
    }
}

function* inQuery(spec: RouteSpec, input: () => Input): Generator<Try> {
  const isNew = oneOfEach(spec.query);
  for (const [name, field] of fieldsOf(spec.query))
    for (const value of hostileEncoded(expectedOf(field))) {
      const { query, ...rest } = input();
      const changed: Input['query'] = [...query.filter(([other]) => other !== name), [name, value]];
      const read = Object.fromEntries(changed.map(([key, text]) => [key, decodeURIComponent(text)]));
      if (isNew(name, read))
        yield { what: `${name} = ${value}`, attempt: attemptOf(spec, { ...rest, query: changed }) };
    }
  const odd: Input['query'] = ['__proto__', 'constructor', '%ED%A0%80'].map((name) => [name, '1']);
  const first = fieldsOf(spec.query)[0]?.[0] ?? 'x';
  odd.push(
    ['x', 'x'.repeat(10_000)],
    [`${first}[]`, '1'],
    ...brokenEscapes.map((value): [string, string] => [first, value]),
  );
  for (const [name, value] of odd) {
    const { query, ...rest } = input();
    // What was there comes again: a name that stands twice.
    yield {
      what: `${name} = ${value}`,
      attempt: attemptOf(spec, { ...rest, query: [...query, [name, value], ...query] }),
    };
  }
}

function* inBody(
  spec: RouteSpec,
  schema: z.core.$ZodType,
  values: Values,
  input: () => Input,
): Generator<Try> {
  const isNew = oneOfEach(schema);
  for (const { path, change } of editsOf(schema, values)) {
    const { body, ...rest } = input();
    const changed = change(body);
    const text = toJson(changed);
    if (isNew(path, JSON.parse(text)))
      yield { what: `${path}: ${text}`.slice(0, 300), attempt: attemptOf(spec, { ...rest, body: changed }) };
  }
}

/**
 * Whether an input is worth a request: what the schema takes goes on to the handler, and what throws it ends badly there too.
 * Of what it refuses, one for each place says how.
 */
function oneOfEach(schema: z.core.$ZodType | undefined): (place: string, input: unknown) => boolean {
  const refused = new Set<string>();
  return (place, input) => {
    try {
      if (!schema || z.safeParse(schema, input).success) return true;
    } catch {
      return true;
    }
    if (refused.has(place)) return false;
    refused.add(place);
    return true;
  };
}

function attemptOf(spec: RouteSpec, { params, query, body }: Input, sent?: Sent): Attempt {
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  const [type, text] = sent ?? (spec.body && spec.transport !== 'raw' ? bodyOf(spec, body) : []);
  return {
    method: spec.method,
    target: search === '' ? path : `${path}?${search}`,
    headers: {
      'accept-language': 'en',
      ...(type !== undefined && { 'content-type': type }),
      ...(text !== undefined && { 'content-length': String(Buffer.byteLength(text)) }),
    },
    body: text,
  };
}

/** A body that is no object has no fields that a form could hold. */
function bodyOf(spec: RouteSpec, body: unknown): [contentType: string, text: string] {
  if (spec.transport !== 'file') return ['application/json', toJson(body)];
  const files = filesOf(spec.body);
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const parts = fields.map(([name, value]) => {
    const fileName = files.has(name) ? '; filename="a file"' : '';
    const field = name.replace(/["\r\n\0]/g, '_');
    return `--fuzz\r\nContent-Disposition: form-data; name="${field}"${fileName}\r\n\r\n${toJson(value)}\r\n`;
  });
  return ['multipart/form-data; boundary=fuzz', `${parts.join('')}--fuzz--\r\n`];
}

function validInput(spec: RouteSpec, values: Values, stored: Record<string, unknown> | undefined): Input {
  const flat = (schema: RouteSpec['query']): [string, string][] =>
    fieldsOf(schema)
      .filter(([name, field]) => isRequired(field) || name === 'site_id' || name === 'client_id')
      .map(([name, field]) => [name, encodeURIComponent(String(exampleOf(field, values, name)))]);
  const example = spec.body && spec.transport !== 'raw' ? exampleOf(spec.body, values) : undefined;
  return {
    params: Object.fromEntries(flat(spec.params)),
    query: flat(spec.query),
    // What is written by another name than it is read by is made.
    body: stored ? { ...(example as object), ...stored } : example,
  };
}

/** Where a call changes what another reads under the same path, its valid body is what stands there. */
async function storedBody(
  caller: Caller,
  spec: RouteSpec,
  values: Values,
): Promise<Record<string, unknown> | undefined> {
  const reader = Object.values(routes).find(({ method, path }) => method === 'GET' && path === spec.path);
  if (!reader || spec.method !== 'PUT' || !spec.body) return undefined;
  const attempt = attemptOf(reader, validInput(reader, values, undefined));
  const { body } = await caller.sender.send({ ...attempt, headers: caller.headersOf(attempt) });
  const { data } = JSON.parse(body) as { data?: Record<string, unknown> };
  const fields = new Set(fieldsOf(spec.body).map(([name]) => name));
  return data && Object.fromEntries(Object.entries(data).filter(([name]) => fields.has(name)));
}

/** A change that was taken has a version of its own, which the next names. */
function keepVersion(stored: Record<string, unknown> | undefined, outcome: Outcome | undefined): void {
  if (!stored || !('version' in stored) || outcome?.status !== 200) return;
  const { data } = JSON.parse(outcome.body) as { data?: { version?: number } };
  if (data?.version !== undefined) stored['version'] = data.version;
}
