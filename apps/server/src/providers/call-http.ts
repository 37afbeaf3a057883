import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { ProviderProblem } from './define-provider.ts';
import type { Reach } from './reach.ts';

export interface HttpCall {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string;
}
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}
export interface HttpLimits {
  /** For the whole of the call. */
  secondsMax?: number;
  bytesMax?: number;
  /** Certificates (PEM) that the other side's may be from, instead of the public authorities'. */
  ca?: readonly string[];
}

/**
 * Asks an HTTP API; fails with a `ProviderProblem`. Redirects are not followed: what signs the call would go to somebody else.
 */
export async function callHttp(
  reach: Reach,
  { method, url, headers, body }: HttpCall,
  { secondsMax = 15, bytesMax = 16 * 1024 * 1024, ca }: HttpLimits = {},
): Promise<HttpAnswer> {
  const target = targetOf(url);
  const found = await reach(target.hostname);
  // The address that was checked is the one that is connected to, whatever DNS says a moment later.
  const lookup: LookupFunction = (_name, options, done) =>
    options.all === true ? done(null, [found]) : done(null, found.address, found.family);
  const signal = AbortSignal.timeout(secondsMax * 1000);
  const ask = target.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const outgoing = ask(target, {
        method,
        signal,
        agent: false,
        lookup,
        headers: { 'user-agent': 'Breakwater', accept: 'application/json', ...headers, ...length },
        ...(ca === undefined ? {} : { ca: [...ca] }),
      });
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    const text = await readAll(response, bytesMax);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  } catch (error) {
    if (error instanceof ProviderProblem) throw error;
    throw new ProviderProblem(signal.aborted ? 'provider_late' : 'provider_unreachable', reasonOf(error));
  }
}

/** Some addresses are out of an answer of the other side. */
function targetOf(url: string): URL {
  const target = URL.parse(url);
  if (target?.protocol === 'https:' || target?.protocol === 'http:') return target;
  throw new ProviderProblem('provider_answer', url.slice(0, 200));
}

/** What TLS says of a certificate that is not trusted says more than its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^(?:E[A-Z]+|)$/.test(code) ? code : `${code}: ${error.message}`.slice(0, 300);
}

async function readAll(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) {
      response.destroy();
      throw new ProviderProblem('provider_answer');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const retryMaxSeconds = 7 * 86_400;

/** `Retry-After` (RFC 9110 §10.2.3), in seconds or as a date; nobody is waited for longer than a week. */
export function retryAtOf(field: string | undefined, now = Date.now()): Date | undefined {
  if (field === undefined) return undefined;
  const at = /^\d{1,10}$/.test(field.trim()) ? now + Number(field) * 1000 : Date.parse(field);
  return Number.isNaN(at) ? undefined : new Date(Math.min(Math.max(at, now), now + retryMaxSeconds * 1000));
}
