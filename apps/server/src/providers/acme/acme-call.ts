import { request, type IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { ProviderProblem } from '../define-provider.ts';
import type { Reach } from '../reach.ts';

/** Where an authority is, and whom its own certificate may be from besides the public authorities. */
export interface AcmeServer {
  directoryUrl: string;
  /** PEM; empty: the public ones alone. */
  directoryCa: string;
}

export interface AcmeAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

const secondsMax = 30;
const bytesMax = 1024 * 1024;

/**
 * One request to an authority. Redirects are not followed: requests are signed for the address they go to. Fails with a
 * `ProviderProblem` where nothing came.
 */
export async function acmeCall(
  server: AcmeServer,
  reach: Reach,
  url: string,
  { method, body }: { method: 'GET' | 'HEAD' | 'POST'; body?: string },
): Promise<AcmeAnswer> {
  const target = targetOf(url);
  const found = await reach(target.hostname);
  // The address that was checked is the one that is connected to, whatever DNS says a moment later.
  const lookup: LookupFunction = (_name, options, done) =>
    options.all === true ? done(null, [found]) : done(null, found.address, found.family);
  const signal = AbortSignal.timeout(secondsMax * 1000);
  const ask = target.protocol === 'https:' ? requestSecurely : request;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = ask(target, {
        method,
        signal,
        agent: false,
        lookup,
        headers: {
          'user-agent': 'Breakwater',
          'accept-language': 'en',
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/jose+json', 'content-length': String(Buffer.byteLength(body)) }),
        },
        ...(server.directoryCa === '' ? {} : { ca: [...rootCertificates, server.directoryCa] }),
      });
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, text: await readAll(response) };
  } catch (error) {
    if (error instanceof ProviderProblem) throw error;
    throw new ProviderProblem(signal.aborted ? 'provider_late' : 'provider_unreachable', reasonOf(error));
  }
}

function targetOf(url: string): URL {
  try {
    const target = new URL(url);
    if (target.protocol === 'https:' || target.protocol === 'http:') return target;
  } catch {
    // Said below.
  }
  throw new ProviderProblem('provider_answer', url.slice(0, 200));
}

/** What TLS says of a certificate that is not trusted says more than its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^(?:E[A-Z]+|)$/.test(code) ? code : `${code}: ${error.message}`.slice(0, 300);
}

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
