import type { DnsRecordType } from '@breakwater/contract';
import { connect } from 'node:net';
import { ProviderProblem } from '../define-provider.ts';
import type { Reach } from '../reach.ts';
import { Reader, typeNumbers, uint16, WireError } from './dns-wire.ts';

/** DNS messages over TCP, and what stands in their answers. */

const secondsMax = 10;
/** Of all answers to one message: a zone of a million records. */
const bytesMax = 128 * 1024 * 1024;

/** Sends a message; answers those to it, until `isLast` is true of one. */
export async function exchange(
  reach: Reach,
  server: string,
  message: Buffer,
  isLast: (answer: Buffer) => boolean = () => true,
): Promise<Buffer[]> {
  const [, host = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(server) ?? [];
  const { address } = await reach(host);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: Number(portText ?? 53) });
    const fail = (problem: ProviderProblem) => {
      socket.destroy();
      reject(problem);
    };
    const timer = setTimeout(() => fail(new ProviderProblem('provider_late')), secondsMax * 1000);
    const take = answerReader(message, isLast);
    socket.on('error', (error: NodeJS.ErrnoException) =>
      fail(new ProviderProblem('provider_unreachable', error.code)),
    );
    socket.on('close', () => {
      clearTimeout(timer);
      fail(new ProviderProblem('provider_unreachable'));
    });
    socket.on('data', (chunk) => {
      try {
        // Each time that something comes shows that the server is at it.
        timer.refresh();
        const answers = take(chunk);
        if (!answers) return;
        resolve(answers);
        socket.destroy();
      } catch (error) {
        fail(
          error instanceof WireError
            ? new ProviderProblem('provider_answer', error.message)
            : (error as never),
        );
      }
    });
    socket.write(Buffer.concat([uint16(message.length), message]));
  });
}

/** Cuts what arrives into messages, each with its length before it (RFC 1035, section 4.2.2); answers all once the last is there. */
function answerReader(message: Buffer, isLast: (answer: Buffer) => boolean) {
  const answers: Buffer[] = [];
  let chunks: Buffer[] = [];
  let size = 0;
  let total = 0;
  return (chunk: Buffer): Buffer[] | undefined => {
    chunks.push(chunk);
    size += chunk.length;
    total += chunk.length;
    if (total > bytesMax) throw new ProviderProblem('provider_answer');
    for (;;) {
      const head = chunks[0]!.length >= 2 ? chunks[0]! : Buffer.concat(chunks);
      if (head.length < 2 || size < head.readUInt16BE(0) + 2) return undefined;
      const arrived = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      const end = arrived.readUInt16BE(0) + 2;
      const answer = arrived.subarray(2, end);
      // Too short for a header, or the answer to something else.
      if (answer.length < 12 || !answer.subarray(0, 2).equals(message.subarray(0, 2)))
        throw new ProviderProblem('provider_answer');
      answers.push(answer);
      if (isLast(answer)) return answers;
      chunks = [arrived.subarray(end)];
      size = arrived.length - end;
    }
  };
}

export interface AnsweredRecord {
  /** Without the dot at the end. */
  name: string;
  number: number;
  ttl: number;
  /** Undefined for a type that we do not know. */
  type: DnsRecordType | undefined;
  /** As a zone file writes it; empty for a type that we do not know. */
  value: string;
}

const typeOf = new Map(
  Object.entries(typeNumbers).map(([type, number]) => [number as number, type as DnsRecordType]),
);

/** The records of answer and authority: where a zone is given to other servers, they stand in the second. Throws `WireError`. */
export function recordsOf(answer: Buffer): AnsweredRecord[] {
  const reader = new Reader(answer, 4);
  const [questions, answers, authority] = [reader.uint16(), reader.uint16(), reader.uint16()];
  reader.at = 12;
  for (let n = 0; n < questions; n++) {
    reader.name();
    reader.take(4);
  }
  return Array.from({ length: answers + authority }, () => {
    const name = reader.name().replace(/\.$/, '');
    const number = reader.uint16();
    reader.take(2);
    const ttl = reader.uint32();
    const length = reader.uint16();
    const type = typeOf.get(number);
    const value = type ? reader.data(type, length) : '';
    if (!type) reader.take(length);
    return { name, number, ttl, type, value };
  });
}
