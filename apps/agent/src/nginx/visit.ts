import type { FollowKind, NodeCommandAnswer, NodeCommandPayload } from '@breakwater/contract';
import { request as httpRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https';
import { isIPv4, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { EdgeOptions } from '@breakwater/edge/process/edge-process';
import { linksOf } from './visit-links.ts';

type Asked = NodeCommandPayload<'visit'>;
type Request = Asked['requests'][number];
type Result = NodeCommandAnswer<'visit'>['results'][number];
type Told = Pick<Result, 'status' | 'bytes' | 'cache' | 'age_seconds'>;

/** Where this node's own nginx listens. */
export type Front = Pick<EdgeOptions, 'httpPorts' | 'httpsPorts' | 'listenAddress'>;

/** In the access log, by which operators tell it from visitors. */
const userAgent = 'Breakwater-Prefetch';
/** Of a list that is read; of what is longer, nothing is. */
const listBytesMax = 16 * 1024 * 1024;

/**
 * Asks the node's own front, as a visitor does: what is stored is what visitors get, under the rules that hold for them. What it does not
 * come to in time is not in the answer.
 */
export async function visit(front: Front, asked: Asked): Promise<NodeCommandAnswer<'visit'>> {
  const { requests, concurrency, interval_milliseconds: interval } = asked;
  const began = performance.now();
  const until = began + asked.seconds * 1000;
  const connections = connectionsOf(concurrency);
  const results: Result[] = [];
  let next = 0;
  const run = async () => {
    while (next < requests.length) {
      const index = next++;
      const at = began + index * interval;
      if (index > 0 && Math.max(at, performance.now()) > until) return;
      await delay(Math.max(0, at - performance.now()));
      results.push({ index, ...(await ask(front, connections, requests[index]!, asked.timeout_seconds)) });
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, run));
  } finally {
    connections.http.destroy();
    connections.https.destroy();
  }
  return { results };
}

/** RFC 9111 §5.1. */
const ageOf = ({ headers: { age } }: IncomingMessage): number | null =>
  age !== undefined && /^\d{1,10}$/.test(age) ? Number(age) : null;

const connectionsOf = (maxSockets: number) => ({
  http: new HttpAgent({ keepAlive: true, maxSockets }),
  https: new HttpsAgent({ keepAlive: true, maxSockets }),
});

async function ask(
  front: Front,
  connections: ReturnType<typeof connectionsOf>,
  asked: Request,
  timeoutSeconds: number,
): Promise<Omit<Result, 'index'>> {
  const began = performance.now();
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  const told: Told = { status: null, bytes: 0, cache: '', age_seconds: null };
  const milliseconds = () => Math.round(performance.now() - began);
  try {
    const response = await send(front, connections, asked, signal);
    told.status = response.statusCode ?? null;
    told.cache = String(response.headers['x-cache'] ?? '').slice(0, 100);
    told.age_seconds = ageOf(response);
    const kept: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) {
      told.bytes += chunk.length;
      if (asked.follow !== undefined && told.bytes <= listBytesMax) kept.push(chunk);
    }
    const took = milliseconds();
    const links =
      asked.follow !== undefined && told.status === 200 && told.bytes <= listBytesMax
        ? await readLinks(asked.follow, asked.url, response, Buffer.concat(kept))
        : undefined;
    return { ...told, milliseconds: took, error: null, ...(links === undefined ? {} : { links }) };
  } catch {
    // A half answer is none, though nginx goes on to store the other half.
    return {
      ...told,
      status: null,
      milliseconds: milliseconds(),
      error: signal.aborted ? 'timed_out' : 'failed',
    };
  }
}

function send(
  { httpPorts, httpsPorts, listenAddress }: Front,
  connections: ReturnType<typeof connectionsOf>,
  { url: text, accept_encoding: encoding, accept_language: language }: Request,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(text);
  const isSecure = url.protocol === 'https:';
  const options = {
    host: hostOf(listenAddress),
    port: (isSecure ? httpsPorts : httpPorts)[0],
    path: url.pathname + url.search,
    headers: {
      host: url.hostname,
      'user-agent': userAgent,
      accept: '*/*',
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      ...(language === undefined ? {} : { 'accept-language': language }),
    },
    signal,
  };
  return new Promise((resolve, reject) => {
    const sent = isSecure
      ? httpsRequest({
          ...options,
          agent: connections.https,
          servername: url.hostname,
          // It is this machine's own nginx, and a certificate may be on its way still.
          rejectUnauthorized: false,
        })
      : httpRequest({ ...options, agent: connections.http });
    sent.once('response', resolve).once('error', reject).end();
  });
}

/** Bound to all addresses, it listens on this machine's own as well. */
function hostOf(listenAddress: string | undefined): string {
  const isOne = listenAddress !== undefined && !['0.0.0.0', '::'].includes(listenAddress);
  return isOne && (isIPv4(listenAddress) || isIPv6(listenAddress)) ? listenAddress : '127.0.0.1';
}

/** What is compressed says so in its header, or it is a file that begins as such. Of what cannot be read, nothing. */
async function readLinks(kind: FollowKind, url: string, { headers }: IncomingMessage, body: Buffer) {
  const options = { maxOutputLength: listBytesMax };
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  try {
    const plain =
      headers['content-encoding'] === 'br'
        ? await promisify(brotliDecompress)(body, options)
        : isGzip
          ? await promisify(gunzip)(body, options)
          : body;
    return linksOf(kind, plain.toString('utf8'), url);
  } catch {
    return undefined;
  }
}
