import { dnsProviders } from '@breakwater/contract';
import { randomInt } from 'node:crypto';
import type * as z from 'zod';
import { defineProvider, ProviderProblem, type ProviderContext } from '../define-provider.ts';
import { dnsClient, type DnsClient, type HostRecordSet } from './dns-client.ts';
import { exchange, recordsOf, type AnsweredRecord } from './dns-message.ts';
import { dataBytes, nameBytes, typeNumbers, uint16, uint32, WireError } from './dns-wire.ts';
import { areSignedAnswers, signMessage, type TsigKey } from './tsig.ts';

/** Any primary that takes DNS UPDATE (RFC 2136) signed by TSIG (RFC 8945). Over TCP: no answer is cut, none is forged in between. */

const [inClass, soaType, transferType, anyClass] = [1, 6, 252, 255];
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
  const send = async (message: Message, isLast?: (answer: Buffer) => boolean) => {
    const request = signMessage(bytesOf(message), key);
    const answers = await exchange(reach, params.server, request.bytes, isLast);
    const rcode = rcodeOf(answers[0]!);
    if (isSigned(answers, request, key)) return { rcode, answers };
    // A server that does not know the key has nothing to sign with.
    const isRefusal = rcode === notAuthoritative || rcode === refused;
    throw isRefusal ? new ProviderProblem('provider_key') : new ProviderProblem('provider_answer', 'TSIG');
  };
  const ask = async (name: string, type: number, isLast?: (answer: Buffer) => boolean) => {
    const question = questionBytes(name, type);
    const { rcode, answers } = await send({ opcode: 'query', sections: [[question], [], []] }, isLast);
    if (rcode === nameError) return [];
    failOn(rcode);
    return answers.flatMap(readRecords);
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
      if (!of) return setsOf(await ask(zone, transferType, lastOfTransfer()));
      const found = await ask(of.name, typeNumbers[of.type]);
      // What a CNAME leads to comes along.
      return setsOf(found.filter(({ name, type }) => name === of.name && type === of.type));
    },
    // A message is done as a whole; many changes take several.
    apply: async (zone, sets) => {
      for (const updates of messagesOf(sets.map(replacing))) await update(zone, updates);
    },
  });
}

/** Of a message, which has at most 65,535 bytes, its signature among them. */
const updateBytesMax = 60_000;

/** Changes, as many of them together as a message holds. */
function messagesOf(changes: readonly Buffer[][]): Buffer[][] {
  const messages: Buffer[][] = [];
  let size = Infinity;
  for (const change of changes) {
    const bytes = change.reduce((sum, { length }) => sum + length, 0);
    if (size + bytes > updateBytesMax) {
      messages.push([]);
      size = 0;
    }
    messages.at(-1)!.push(...change);
    size += bytes;
  }
  return messages;
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

function isSigned(...args: Parameters<typeof areSignedAnswers>): boolean {
  try {
    return areSignedAnswers(...args);
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

const rcodeOf = (answer: Buffer): number => answer.readUInt16BE(2) & 15;

function readRecords(answer: Buffer): AnsweredRecord[] {
  try {
    return recordsOf(answer);
  } catch (error) {
    throw error instanceof WireError ? new ProviderProblem('provider_answer', error.message) : error;
  }
}

/** A transfer ends with the SOA record that it began with (RFC 5936, section 2.2), or with what is wrong. */
function lastOfTransfer(): (answer: Buffer) => boolean {
  let found = 0;
  return (answer) => {
    found += readRecords(answer).filter(({ number }) => number === soaType).length;
    return found >= 2 || rcodeOf(answer) !== noError;
  };
}

function setsOf(records: readonly AnsweredRecord[]): HostRecordSet[] {
  const sets = new Map<string, HostRecordSet>();
  for (const { name, type, ttl, value } of records) {
    if (!type) continue;
    const set = sets.get(`${name} ${type}`);
    if (set) set.values.push(value);
    else sets.set(`${name} ${type}`, { name, type, line: '', ttl, values: [value] });
  }
  return [...sets.values()];
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

export const rfc2136Provider = defineProvider<DnsClient, typeof dnsProviders.rfc2136>(dnsProviders.rfc2136, {
  make: makeRfc2136,
  test: async (client) => void (await client.zones()),
});
