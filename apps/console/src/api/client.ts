import {
  errors,
  fillPath,
  type Envelope,
  type FieldError,
  type FileAnswer,
  type RouteArguments,
  type RouteData,
  type RouteName,
  type routes,
} from '@breakwater/contract';
import type { RouteEntry } from 'virtual:tables';
import { language } from '../i18n/language.ts';
import { asBusy } from './busy.ts';
import { clientText } from './client.text.ts';
import { config } from './config.ts';
import { earlyAnswer } from './early-reads.ts';
import { session } from './session.ts';
import { routeOf } from './tables.ts';

export type Arguments<Name extends RouteName> = RouteArguments<(typeof routes)[Name]>;
export type Data<Name extends RouteName> = RouteData<(typeof routes)[Name]>;
/** One row of a list call. */
export type Row<Name extends RouteName> = Data<Name> extends { list: (infer Item)[] } ? Item : never;

/** An answer with a code other than 0. `code` -1: no answer that could be read. `message` is in the reader's language. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: number;
  readonly status: number;
  readonly fields: readonly FieldError[];
  constructor(code: number, status: number, message: string, fields: readonly FieldError[] = []) {
    super(message);
    this.code = code;
    this.status = status;
    this.fields = fields;
  }
}

/** Calls a route of the contract. Throws `ApiError`. */
export async function call<Name extends RouteName>(
  name: Name,
  args: Arguments<Name>,
  signal?: AbortSignal,
): Promise<Data<Name>> {
  const { method } = specOf(name);
  const answer = send(name, args, signal).then((response) => unwrap(response, method));
  // What is read shows by itself that it is awaited.
  return (await (method === 'GET' ? answer : asBusy(answer))) as Data<Name>;
}

/** A call for others is refused here, as the server would. */
function specOf(name: RouteName): RouteEntry {
  const spec = routeOf(name);
  const { code, status, ...words } = errors.forbidden;
  if (!spec) throw new ApiError(code, status, words[language.get()]);
  return spec;
}

/** Until an answer begins; files on their way to the server take as long as they take. */
const answerMilliseconds = 30_000;
/** The status of a call that nobody answered in time (RFC 9110 §15.5.9). */
export const requestTimeout = 408;

/** Sends a call and answers its beginning. Throws `ApiError` when nobody answers. */
export async function send<Name extends RouteName>(
  name: Name,
  args: Arguments<Name>,
  signal?: AbortSignal,
  accept = 'application/json',
): Promise<Response> {
  const spec = specOf(name);
  const { params, query, body } = args as { params?: Record<string, number>; query?: object; body?: unknown };
  // Asked at each call: what this page shows and saves is never of another account, nor of nobody.
  const { code, status, ...over } = errors.session_ended;
  if (session.isOthers()) throw new ApiError(code, status, clientText[language.get()].otherAccount);
  if (session.isOver()) throw new ApiError(code, status, over[language.get()]);
  const token = session.token();
  const form = spec.files && formOf(spec.files, body as object);
  const late = new AbortController();
  const ended = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  const timer = form ? undefined : setTimeout(() => late.abort(), answerMilliseconds);
  try {
    const address = baseOf(spec) + fillPath(spec.path, params) + queryText(query);
    const early = spec.method === 'GET' ? await earlyAnswer(address, token, ended) : undefined;
    if (early) return early;
    return await fetch(address, {
      method: spec.method,
      headers: {
        accept,
        'accept-language': language.get(),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        // A form says itself what it is.
        ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: form ?? JSON.stringify(body) }),
      signal: ended,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    const { timeout, lost } = clientText[language.get()];
    throw late.signal.aborted ? new ApiError(-1, requestTimeout, timeout) : new ApiError(-1, 0, lost);
  } finally {
    clearTimeout(timer);
  }
}

/** A body with files in it; a value that is no file yet becomes a JSON file. */
function formOf(files: readonly string[], body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    if (value === undefined) continue;
    if (value instanceof Blob) form.append(name, value);
    else if (files.includes(name)) form.append(name, new Blob([JSON.stringify(value)]), `${name}.json`);
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}

export interface Downloaded {
  name: string;
  content: Blob;
}
/** Routes that answer with a file. */
export type FileName = {
  [Name in RouteName]: Data<Name> extends FileAnswer ? Name : never;
}[RouteName];

/** The file that a route answers with. Throws `ApiError`. */
export const fetchFile = <Name extends FileName>(
  name: Name,
  args: Arguments<Name>,
  signal?: AbortSignal,
): Promise<Downloaded> => asBusy(readFile(name, args, signal));

async function readFile<Name extends FileName>(
  name: Name,
  args: Arguments<Name>,
  signal?: AbortSignal,
): Promise<Downloaded> {
  const response = await send(name, args, signal);
  const disposition = response.headers.get('content-disposition');
  if (!response.ok || disposition === null) await unwrap(response);
  const encoded = /filename\*=UTF-8''([^;\s]+)/.exec(disposition ?? '')?.[1] ?? name;
  try {
    return { name: decodeURIComponent(encoded), content: await response.blob() };
  } catch (error) {
    if (signal?.aborted) throw error;
    // It broke off: half a file is no file.
    throw new ApiError(-1, 0, clientText[language.get()].lost);
  }
}

/** What an answer carries. Throws `ApiError`; a session that ended is told of. */
export async function unwrap(response: Response, method = 'GET'): Promise<unknown> {
  const envelope = (await response.json().catch(() => null)) as Envelope<unknown> | null;
  if (envelope === null || typeof envelope.code !== 'number')
    throw new ApiError(
      -1,
      response.status,
      errors[response.status >= 502 ? 'unavailable' : 'internal'][language.get()],
    );
  if (envelope.code === errors.session_ended.code || envelope.code === errors.session_revoked.code)
    session.ended();
  if (envelope.code !== 0)
    throw new ApiError(envelope.code, response.status, saidBy(envelope, method), envelope.errors);
  return envelope.data;
}

/** What was only asked for has no form whose fields could be marked: their sentences are the message. */
function saidBy({ message, errors: fields = [] }: Envelope<unknown>, method: string): string {
  if (method !== 'GET' || fields.length === 0) return message;
  return fields.map((field) => field.message).join(' ');
}

/** Administrators speak to the admin server, customers to the user server; a sign-in goes where its route lives. */
function baseOf(spec: RouteEntry): string {
  const { admin_api, user_api } = config();
  if (spec.access.kind === 'public' && spec.access.on !== 'both')
    return spec.access.on === 'admin' ? admin_api : user_api;
  if (spec.access.kind === 'user') return user_api;
  return session.role() === 'user' ? user_api : admin_api;
}

function queryText(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text ? `?${text}` : '';
}
