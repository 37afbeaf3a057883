import { dnsProviders, type DnsRecordType } from '@breakwater/contract';
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import type * as z from 'zod';
import { defineProvider, ProviderProblem, type ProviderContext } from '../define-provider.ts';
import { dnsClient, type DnsClient, type HostRecordSet } from './dns-client.ts';
import { dataBytes, nameBytes, Reader, typeNumbers, uint16, uint32, WireError } from './dns-wire.ts';
import { isSignedAnswer, signMessage, type TsigKey } from './tsig.ts';

/** Any primary that takes DNS UPDATE (RFC 2136) signed by TSIG (RFC 8945). Over TCP: no answer is cut, none is forged in between. */

const secondsMax = 10;
const [inClass, soaType, anyClass] = [1, 6, 255];
const opcodes = { query: 0, update: 5 } as const;

/** What a server says, by RCODE (RFC 2136, section 2.2; RFC 8945, section 3). */
const [noError, formatError, nameError, refused, notAuthoritative, notZone] = [0, 1, 3, 5, 9, 10];

interface Message {
  opcode: keyof typeof opcodes;
  /** Question or zone, prerequisites or answers, updates or authority. */
  sections: readonly [readonly Buffer[], readonly Buffer[], readonly Buffer[]];
}

type Params = z.output<typeof dnsProviders.rfc2136.params>;

function makeRfc2136(params: Params, { reach }: ProviderContext): DnsClient {
  const key = keyOf(params);
  const send = async (message: Message): Promise<{ rcode: number; answer: Buffer }> => {
    const request = signMessage(bytesOf(message), key);
    const answer = await exchange(reach, params.server, request.bytes);
    const rcode = answer.readUInt16BE(2) & 15;
    if (isSigned(answer, request, key)) return { rcode, answer };
    // A server that does not know the key has nothing to sign with.
    const isRefusal = rcode === notAuthoritative || rcode === refused;
    throw isRefusal ? new ProviderProblem('provider_key') : new ProviderProblem('provider_answer', 'TSIG');
  };
  const mustHave = (zone: string) => {
    if (!params.zones.includes(zone)) throw new ProviderProblem('dns_zone_unknown');
  };
  const update = async (zone: string, updates: readonly Buffer[]) => {
    mustHave(zone);
    // The zone is there: a prerequisite that holds whatever the update does.
    const isZone = recordBytes(zone, soaType, anyClass);
    const { rcode } = await send({
      opcode: 'update',
      sections: [[questionBytes(zone, soaType)], [isZone], updates],
    });
    failOn(rcode);
  };
  return dnsClient({
    lines: { default: '' },
    ttlSecondsMin: 0,
    zones: async () => {
      for (const zone of params.zones) await update(zone, []);
      return params.zones;
    },
    list: async (zone, of) => {
      mustHave(zone);
      if (!of) throw new ProviderProblem('dns_list_unavailable');
      const question = questionBytes(of.name, typeNumbers[of.type]);
      const { rcode, answer } = await send({ opcode: 'query', sections: [[question], [], []] });
      if (rcode === nameError) return [];
      failOn(rcode);
      const found = recordsIn(answer, of.name, of.type);
      return found ? [found] : [];
    },
    // One message: all of it or nothing.
    apply: (zone, sets) => update(zone, sets.flatMap(replacing)),
  });
}

/** Takes a record set away and puts another in its place. */
function replacing({ name, type, ttl, values }: HostRecordSet): Buffer[] {
  const number = typeNumbers[type];
  const added = values.map((value) => recordBytes(name, number, inClass, ttl, dataBytes(type, value)));
  return [recordBytes(name, number, anyClass), ...added];
}

const keyOf = ({ key_name: name, algorithm, key_secret: secret = '' }: Params): TsigKey => ({
  name,
  algorithm,
  secret: Buffer.from(secret, 'base64'),
});

function failOn(rcode: number): void {
  if (rcode === noError) return;
  if (rcode === notZone || rcode === notAuthoritative) throw new ProviderProblem('dns_zone_unknown');
  if (rcode === refused) throw new ProviderProblem('provider_forbidden', 'REFUSED');
  throw new ProviderProblem('provider_refused', rcode === formatError ? 'FORMERR' : `RCODE ${rcode}`);
}

function isSigned(...args: Parameters<typeof isSignedAnswer>): boolean {
  try {
    return isSignedAnswer(...args);
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

const questionBytes = (name: string, type: number): Buffer =>
  Buffer.concat([nameBytes(name), uint16(type), uint16(inClass)]);

/** Without data and of the class ANY: a record set, whatever it holds (RFC 2136, sections 2.4.1 and 2.5.2). */
const recordBytes = (
  name: string,
  type: number,
  of: number,
  ttl = 0,
  data: Buffer = Buffer.alloc(0),
): Buffer =>
  Buffer.concat([nameBytes(name), uint16(type), uint16(of), uint32(ttl), uint16(data.length), data]);

function bytesOf({ opcode, sections }: Message): Buffer {
  const [first, second, third] = sections;
  return Buffer.concat([
    uint16(randomInt(65_536)),
    uint16(opcodes[opcode] << 11),
    ...[first.length, second.length, third.length, 0].map((count) => uint16(count)),
    ...first,
    ...second,
    ...third,
  ]);
}

function recordsIn(answer: Buffer, name: string, type: DnsRecordType): HostRecordSet | undefined {
  try {
    const reader = new Reader(answer, 4);
    const [questions, answers, authority] = [reader.uint16(), reader.uint16(), reader.uint16()];
    reader.at = 12;
    for (let n = 0; n < questions; n++) {
      reader.name();
      reader.take(4);
    }
    const found: HostRecordSet = { name, type, line: '', ttl: 0, values: [] };
    // Where a zone is given to other servers, they stand in the second section.
    for (let n = 0; n < answers + authority; n++) {
      const owner = reader.name();
      const number = reader.uint16();
      reader.take(2);
      const ttl = reader.uint32();
      const length = reader.uint16();
      // What a CNAME leads to comes along.
      if (number !== typeNumbers[type] || owner !== `${name}.`) reader.take(length);
      else {
        found.ttl = ttl;
        found.values.push(reader.data(type, length));
      }
    }
    return found.values.length > 0 ? found : undefined;
  } catch (error) {
    throw error instanceof WireError ? new ProviderProblem('provider_answer', error.message) : error;
  }
}

/** One message and its answer, each with its length before it (RFC 1035, section 4.2.2). */
async function exchange(reach: ProviderContext['reach'], server: string, message: Buffer): Promise<Buffer> {
  const [, host = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(server) ?? [];
  const { address } = await reach(host);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: Number(portText ?? 53) });
    const fail = (problem: ProviderProblem) => {
      socket.destroy();
      reject(problem);
    };
    const timer = setTimeout(() => fail(new ProviderProblem('provider_late')), secondsMax * 1000);
    let arrived: Buffer = Buffer.alloc(0);
    socket.on('error', (error: NodeJS.ErrnoException) =>
      fail(new ProviderProblem('provider_unreachable', error.code)),
    );
    socket.on('close', () => {
      clearTimeout(timer);
      fail(new ProviderProblem('provider_unreachable'));
    });
    socket.on('data', (chunk) => {
      arrived = Buffer.concat([arrived, chunk]);
      const length = arrived.length < 2 ? Infinity : arrived.readUInt16BE(0);
      if (arrived.length < length + 2) return;
      const answer = arrived.subarray(2, length + 2);
      // Too short for a header, or the answer to something else.
      if (answer.length < 12 || !answer.subarray(0, 2).equals(message.subarray(0, 2)))
        return fail(new ProviderProblem('provider_answer'));
      resolve(answer);
      socket.destroy();
    });
    socket.write(Buffer.concat([uint16(message.length), message]));
  });
}

export const rfc2136Provider = defineProvider<DnsClient, typeof dnsProviders.rfc2136>(dnsProviders.rfc2136, {
  make: makeRfc2136,
  test: async (client) => void (await client.zones()),
});
