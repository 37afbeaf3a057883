import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { ProviderProblem } from './define-provider.ts';
import type { Reach } from './reach.ts';

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string;
}
export interface HttpAnswer {
  status: number;
  /** Of `Retry-After`, RFC 9110, section 10.2.3. */
  retryAfterSeconds: number | undefined;
  text: string;
}

const secondsMax = 15;
const bytesMax = 16 * 1024 * 1024;

/**
 * Asks an HTTP API; fails with a `ProviderProblem`. Redirects are not followed: what signs the call would go to somebody else.
 */
export async function callHttp(reach: Reach, { method, url, headers, body }: HttpCall): Promise<HttpAnswer> {
  const target = new URL(url);
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
      });
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    return {
      status: response.statusCode ?? 0,
      retryAfterSeconds: secondsOf(response.headers['retry-after']),
      text: await readAll(response),
    };
  } catch (error) {
    if (error instanceof ProviderProblem) throw error;
    throw new ProviderProblem(signal.aborted ? 'provider_late' : 'provider_unreachable', codeOf(error));
  }
}

function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

async function readAll(response: IncomingMessage): Promise<string> {
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
