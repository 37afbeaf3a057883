import type { IssueMessage } from '@breakwater/contract';
import { isPrivateAddress } from '@breakwater/policy/address/private-address';
import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

export interface FetchLimits {
  bytesMax: number;
  seconds: number;
  /** Addresses that only lead to this machine and its neighbours may be asked. */
  allowPrivate: boolean;
}

const redirectsMax = 3;

/** Why nothing came, also as a key of the contract's sentences. */
export class FetchProblem extends Error {
  readonly issue: IssueMessage;
  constructor(issue: IssueMessage, sentence: string) {
    super(sentence);
    this.issue = issue;
  }
}

/**
 * What a URL that somebody entered answers, as text. Every address is checked as it is connected to, after redirects
 * too, so that no name can lead to the machine's own network. Fails with a sentence that can be shown.
 */
export async function fetchText(url: string, limits: FetchLimits): Promise<string> {
  return (await fetchBytes(url, limits)).toString('utf8');
}

/** The same as it comes; of a packed answer what was packed. */
export async function fetchBytes(url: string, limits: FetchLimits): Promise<Buffer> {
  const signal = AbortSignal.timeout(limits.seconds * 1000);
  let next = new URL(url);
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const response = await ask(next, limits, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      next = new URL(headers.location, next);
      continue;
    }
    if (statusCode !== 200) {
      response.destroy();
      throw new FetchProblem(`fetch_status:${statusCode}`, `The server returned status ${statusCode}.`);
    }
    return readAll(response, limits.bytesMax, signal);
  }
  throw new FetchProblem('fetch_redirects', `More than ${redirectsMax} redirects.`);
}

function ask(
  url: URL,
  { allowPrivate, seconds }: FetchLimits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return Promise.reject(new FetchProblem('url', 'Only http and https URLs are supported.'));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // An address that is written out is not looked up.
  if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) return Promise.reject(privateError(host));
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = { 'user-agent': 'Breakwater', 'accept-encoding': 'gzip' };
    const call = request(url, {
      signal,
      headers,
      agent: false,
      ...(allowPrivate ? {} : { lookup: publicLookup }),
    });
    call.on('response', resolve);
    call.on('error', (error) => reject(signal.aborted ? lateError(seconds) : error));
    call.end();
  });
}

const privateError = (address: string): Error =>
  new FetchProblem('fetch_private', `The address ${address} is private, so it is not contacted.`);
const lateError = (seconds: number): Error =>
  new FetchProblem(`fetch_late:${seconds}`, `No response within ${seconds} seconds.`);

/** Finds public addresses only, and is what the connection is made with. */
const publicLookup: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0);
    const bad = found.find(({ address }) => isPrivateAddress(address));
    if (bad || found.length === 0) return done(privateError(bad?.address ?? name), '', 0);
    if (options.all === true) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  });
};

const sizeError = (megabytes: number): Error =>
  new FetchProblem(`fetch_size:${megabytes}`, `The file is larger than ${megabytes} MB.`);

async function readAll(response: IncomingMessage, bytesMax: number, signal: AbortSignal): Promise<Buffer> {
  const isPacked = response.headers['content-encoding'] === 'gzip';
  // Piped by `pipeline`, so that an answer that breaks off, or whose time is over, ends the unpacking too.
  const source = isPacked ? pipeline(response, createGunzip(), () => {}) : response;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bytesMax) throw sizeError(Math.floor(bytesMax / 1_048_576));
      chunks.push(chunk);
    }
  } catch (error) {
    throw signal.aborted ? new FetchProblem('fetch_slow', 'The download timed out.') : error;
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks);
}
