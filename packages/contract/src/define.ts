import type * as z from 'zod';
import type { CallCost } from './limits.ts';
import type { Access } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface RouteSpec {
  method: Method;
  /** Under `/prod-api` or `/node-api` (`/api` for the one that the specification has there); parameters in braces: `/prod-api/site/{id}`. */
  path: `/${'prod-api' | 'node-api' | 'api'}/${string}`;
  /** One sentence for the API description; the Chinese one stands in `summaries/`. */
  summary: string;
  access: Access;
  params?: z.core.$ZodType;
  query?: z.core.$ZodType;
  body?: z.core.$ZodType;
  /** What stands under `data` in the envelope. */
  response: z.core.$ZodType;
  /** Largest body in bytes; 64 KiB unless said. Of a form with files: all of it but the files. */
  bodyBytesMax?: number;
  /**
   * `raw`: the body arrives as bytes. `stream`: the answer is an event stream whose events are `response`. `file`: with a body
   * it is a form with files in it, without one the answer is a file (`file.ts`). `callback`: a form, JSON or XML of a stranger,
   * whom the handler proves by the bytes; the answer is plain text.
   */
  transport?: 'json' | 'raw' | 'stream' | 'file' | 'callback';
  /** What it is counted as besides a request; `limits.ts`. A form with files in it is an `upload` by itself. */
  cost?: CallCost;
  /** A changing call that only asks (a check, a preview) and is not written to the operation log. */
  unlogged?: boolean;
}

/** Whether a call of somebody who is signed in may carry an `Idempotency-Key`, and then does its work once. */
export const takesIdempotencyKey = ({
  method,
  access,
  transport = 'json',
  unlogged = false,
}: RouteSpec): boolean =>
  method === 'POST' &&
  access.kind !== 'public' &&
  access.kind !== 'node' &&
  (transport === 'json' || transport === 'file') &&
  !unlogged;

/** What a call is counted as besides a request. */
export const costOf = ({ cost, transport, body }: RouteSpec): CallCost | undefined =>
  cost ?? (transport === 'file' && body ? 'upload' : undefined);

/** Declares the routes of one entity. The type keeps every literal, so that server and client are typed from it. */
export function defineRoutes<const Routes extends Record<string, RouteSpec>>(routes: Routes): Routes {
  return routes;
}

type Output<Schema> = Schema extends z.core.$ZodType ? Schema['_zod']['output'] : undefined;
type Input<Schema> = Schema extends z.core.$ZodType ? Schema['_zod']['input'] : undefined;
type Key = 'params' | 'query' | 'body';

/** What a handler receives, after parsing. */
export type RouteInput<Spec extends RouteSpec> = { [K in Key]: Output<Spec[K]> };
/** What a handler returns: it is parsed once more on the way out. */
export type RouteResult<Spec extends RouteSpec> = Input<Spec['response']>;
/** What a caller reads under `data`. */
export type RouteData<Spec extends RouteSpec> = Output<Spec['response']>;
/** What a caller sends: only the parts that the route declares. */
export type RouteArguments<Spec extends RouteSpec> = {
  [K in Key as Spec[K] extends z.core.$ZodType ? K : never]: Input<Spec[K]>;
};

/** Fills `{name}` in a path. Throws when a parameter is missing, which the types rule out. */
export function fillPath(path: string, params: Record<string, string | number> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined) throw new Error(`path parameter ${key} of ${path} is missing`);
    return encodeURIComponent(String(value));
  });
}

/** The body of every JSON answer; `data` is absent when `code` is not 0, `errors` names fields when it is 400. */
export interface Envelope<Data> {
  code: number;
  message: string;
  data?: Data;
  errors?: FieldError[];
}

/** `path` is dotted, with numbers for list positions: `origins.0.address`. */
export interface FieldError {
  path: string;
  message: string;
}
