import * as http from 'node:http';
import * as https from 'node:https';
import { connect, isIP } from 'node:net';
import { createSecureContext, getCACertificates, type ConnectionOptions, type SecureContext } from 'node:tls';
import type { HealthError, HealthErrorCode } from '@breakwater/contract';
import { isExpectedStatus } from '@breakwater/policy/origin/health';
import type { ProbeResult, Question } from './probe-check.ts';

/** What a body is searched in; the rest is not read. */
const bodyBytesMax = 64 * 1024;

/** Faults of this machine: they say nothing of an origin. */
const ownFaults = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);
const codes: Record<string, HealthErrorCode> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  EPROTO: 'tls',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ETIMEDOUT: 'timeout',
};

/**
 * Asks once, over a connection of its own: a kept one would not show that a new one can be made. `done` hears the result, or
 * nothing when a fault of this machine kept it from asking. Returns how to break it off; then `done` hears nothing any more.
 */
export function startProbe(question: Question, done: (result: ProbeResult | undefined) => void): () => void {
  const startedAt = performance.now();
  let isOver = false;
  let close: () => void = () => undefined;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    close();
  };
  const settle: Settle = (error) => {
    if (isOver) return;
    end();
    if (error !== undefined && ownFaults.has(error.detail)) return done(undefined);
    const latencyMilliseconds = Math.round(performance.now() - startedAt);
    done(error === undefined ? { latencyMilliseconds } : { latencyMilliseconds, error });
  };
  const timer = setTimeout(() => settle({ code: 'timeout', detail: '' }), question.timeout_seconds * 1000);
  try {
    close = question.protocol === 'tcp' ? openConnection(question, settle) : sendRequest(question, settle);
  } catch (error) {
    settle(errorOf(error));
  }
  return end;
}

/** Called with the first fault, or without when all went well; later calls count for nothing. */
type Settle = (error?: HealthError) => void;

function openConnection({ ip, port }: Question, settle: Settle): () => void {
  const socket = connect({ host: ip, port });
  socket.on('connect', () => settle());
  socket.on('error', (error) => settle(errorOf(error)));
  return () => socket.destroy();
}

function sendRequest(question: Question, settle: Settle): () => void {
  const { protocol, ip, port, path, method, host, user_agent: userAgent } = question;
  const headers: http.OutgoingHttpHeaders = {
    host: isIP(host) === 6 ? `[${host}]` : host,
    accept: '*/*',
    'accept-encoding': 'identity',
    connection: 'close',
    ...(userAgent === '' ? {} : { 'user-agent': userAgent }),
  };
  const options = { host: ip, port, path, method, headers, agent: false };
  const call =
    protocol === 'https' ? https.request({ ...options, ...tlsOptions(question) }) : http.request(options);
  call.on('response', (response) => judge(question, response, settle));
  // Whatever it was upgraded to: the status is what was asked for.
  call.on('upgrade', (response) => settle(statusError(question, response.statusCode ?? 0)));
  call.on('error', (error) => settle(errorOf(error)));
  call.end();
  return () => call.destroy();
}

function judge(question: Question, response: http.IncomingMessage, settle: Settle): void {
  const wrong = statusError(question, response.statusCode ?? 0);
  if (wrong !== undefined || question.body_contains === '') return settle(wrong);
  const sought = Buffer.from(question.body_contains);
  let body = Buffer.alloc(0);
  response.on('data', (part: Buffer) => {
    body = Buffer.concat([body, part.subarray(0, bodyBytesMax - body.length)]);
    if (body.includes(sought)) settle();
    else if (body.length >= bodyBytesMax) settle({ code: 'body', detail: '' });
  });
  response.on('end', () => settle({ code: 'body', detail: '' }));
  response.on('error', (error) => settle(errorOf(error)));
}

function statusError({ expected_codes: expected }: Question, status: number): HealthError | undefined {
  return isExpectedStatus(expected, status) ? undefined : { code: 'status', detail: String(status) };
}

/** The authorities of the system, as nginx takes them; read once, since there are many. */
let systemAuthorities: SecureContext | undefined;

function tlsOptions({ serverName, verifyTls }: Question): ConnectionOptions {
  // TLS names no addresses (RFC 6066 §3).
  const servername = isIP(serverName) === 0 ? serverName : '';
  if (!verifyTls) return { servername, rejectUnauthorized: false };
  systemAuthorities ??= createSecureContext({ ca: getCACertificates('system') });
  return { servername, rejectUnauthorized: true, secureContext: systemAuthorities };
}

function errorOf(error: unknown): HealthError {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return { code: classOf(code, syscall), detail: code.slice(0, 100) };
}

function classOf(code: string, syscall: string | undefined): HealthErrorCode {
  const known = codes[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'invalid_answer';
  // A fault of the system names its call; what is left with a name comes from TLS.
  return code !== '' && syscall === undefined ? 'tls' : 'failed';
}
