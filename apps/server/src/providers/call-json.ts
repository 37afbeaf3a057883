import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { ProviderProblem } from './define-provider.ts';
import type { Reach } from './reach.ts';

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

const secondsMax = 15;
const bytesMax = 16 * 1024 * 1024;

/**
 * Asks an HTTP API. Answers status and JSON (undefined where there is none); fails with a `ProviderProblem`. Redirects are not
 * followed: what signs the call would go to somebody else.
 */
export async function callJson(
  reach: Reach,
  url: string,
  { method, headers, body }: Call,
): Promise<{ status: number; json: unknown }> {
  const target = new URL(url);
  const found = await reach(target.hostname);
  // The address that was checked is the one that is connected to, whatever DNS says a moment later.
  const lookup: LookupFunction = (_name, options, done) =>
    options.all === true ? done(null, [found]) : done(null, found.address, found.family);
  const signal = AbortSignal.timeout(secondsMax * 1000);
  const ask = target.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const outgoing = ask(target, {
        method,
        signal,
        agent: false,
        lookup,
        headers: {
          'user-agent': 'Breakwater',
          accept: 'application/json',
          ...headers,
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
        },
      });
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
      outgoing.end(text);
    });
    return { status: response.statusCode ?? 0, json: parsed(await readAll(response)) };
  } catch (error) {
    if (error instanceof ProviderProblem) throw error;
    throw new ProviderProblem(signal.aborted ? 'provider_late' : 'provider_unreachable', codeOf(error));
  }
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
