import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** One URL of a site, asked of one of its nodes as a visitor does. No name is looked up: whatever a page says, only nodes are asked. */

export interface NodeAt {
  ip: string;
  http?: number | undefined;
  https?: number | undefined;
}
export interface Answer {
  status: number;
  contentType: string;
  location: string;
  bytes: Buffer;
  /** There was no more. */
  isWhole: boolean;
  hash: string;
}

const secondsMax = 15;
/** Of what is larger, the beginning is looked through; its hash is not that of the whole, and fits nothing. */
const pageBytesMax = 1024 * 1024;

export async function visitPage(at: NodeAt, url: URL, stopped: AbortSignal): Promise<Answer> {
  const isHttps = url.protocol === 'https:';
  const port = isHttps ? at.https : at.http;
  if (port === undefined) throw new Error(`The node has no port for ${url.protocol}`);
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(secondsMax * 1000)]);
  const options = {
    host: at.ip,
    port,
    path: url.pathname + url.search,
    agent: false,
    signal,
    headers: {
      host: url.host,
      'user-agent': 'Mozilla/5.0 (compatible; Breakwater-Monitor/1.0)',
      accept: 'text/html,application/xhtml+xml,text/*;q=0.9,image/*;q=0.8,*/*;q=0.1',
      'accept-encoding': 'identity',
    },
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // It is what visitors are shown that counts, and it comes from a node of ours: whether its certificate is good is seen elsewhere.
    const outgoing = isHttps
      ? httpsRequest({ ...options, servername: url.hostname, rejectUnauthorized: false })
      : httpRequest(options);
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end();
  });
  const bytes = await readBeginning(response);
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    location: response.headers.location ?? '',
    bytes,
    isWhole: bytes.length < pageBytesMax,
    hash: createHash('sha256').update(bytes).digest('hex'),
  };
}

async function readBeginning(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length >= pageBytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, pageBytesMax);
}
