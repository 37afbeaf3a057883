// A DNS host for "Custom HTTP API" accounts: the protocol of ../dns-accounts.md, with records in memory. Node 22.18 or later runs it:
// SECRET=… ZONES=example.com PORT=8090 node dns-server.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

const { SECRET = '', ZONES = '', PORT = '8090' } = process.env;
if (SECRET.length < 16) throw new Error('SECRET needs at least 16 characters');

interface RecordSet {
  name: string;
  type: string;
  line: string;
  ttl: number;
  values: string[];
}
interface Request {
  action: string;
  cursor?: string;
  zone?: string;
  name?: string;
  type?: string;
  records?: RecordSet[];
}

/** Record sets of each zone, by name, type and line. */
const zones = new Map(ZONES.split(',').map((zone) => [zone.trim(), new Map<string, RecordSet>()]));
/** Nonces of the last minutes, with the time at which each may be forgotten. */
const nonces = new Map<string, number>();
const pageSize = 500;
const types = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT'];

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

function checkSignature(headers: IncomingHttpHeaders, body: string): void {
  const field = (name: string) => String(headers[`x-breakwater-${name}`] ?? '');
  const [timestamp, nonce] = [field('timestamp'), field('nonce')];
  const text = [timestamp, nonce, body].join('\n');
  const expected = Buffer.from(createHmac('sha256', SECRET).update(text).digest('hex'));
  const given = Buffer.from(field('signature'));
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  const isNow = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  for (const [old, until] of nonces) if (until < Date.now()) nonces.delete(old);
  if (!isSigned || !isNow || nonces.has(nonce)) throw new Refusal(401, 'bad_signature');
  nonces.set(nonce, Date.now() + 600_000);
}

function page<Item>(items: Item[], cursor = '0') {
  const from = Number(cursor);
  const next = from + pageSize < items.length ? { next: String(from + pageSize) } : {};
  return { items: items.slice(from, from + pageSize), next };
}

function setsOf(zone = ''): Map<string, RecordSet> {
  const sets = zones.get(zone);
  if (!sets) throw new Refusal(404, 'zone_unknown');
  return sets;
}

function listZones({ cursor }: Request): object {
  const { items, next } = page([...zones.keys()], cursor);
  return { zones: items, ...next };
}

function listRecords({ zone, name, type, cursor }: Request): object {
  const found = [...setsOf(zone).values()].filter(
    (set) => (name === undefined || set.name === name) && (type === undefined || set.type === type),
  );
  const { items, next } = page(found, cursor);
  return { records: items, ...next };
}

/** All of it or nothing: everything is checked before anything is changed. */
function applyRecords({ zone, records = [] }: Request): object {
  const sets = setsOf(zone);
  for (const { name, type } of records) {
    if (name !== zone && !name.endsWith(`.${zone}`)) throw new Refusal(404, 'zone_unknown');
    if (!types.includes(type)) throw new Refusal(400, 'type_unknown');
  }
  for (const set of records) {
    const key = [set.name, set.type, set.line].join(' ');
    if (set.values.length === 0) sets.delete(key);
    else sets.set(key, set);
  }
  return {};
}

function answer(headers: IncomingHttpHeaders, body: string): object {
  checkSignature(headers, body);
  const request = JSON.parse(body) as Request;
  if (request.action === 'list_zones') return listZones(request);
  if (request.action === 'list_records') return listRecords(request);
  if (request.action === 'apply_records') return applyRecords(request);
  throw new Refusal(400, 'action_unknown');
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const send = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    try {
      send(200, answer(request.headers, Buffer.concat(chunks).toString()));
    } catch (error) {
      const isRefusal = error instanceof Refusal;
      const code = isRefusal ? error.message : 'unavailable';
      send(isRefusal ? error.status : 500, { error: { code, message: code } });
    }
  });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
