import type { DetectRequest, HeaderLine } from '../../packages/policy/src/detect/types.ts';
import { agents, fileNames, payloads, type PayloadClass } from './attack-payloads.ts';

/** One payload, written and put into a request in one way. */
export interface Mutation {
  class: string;
  /** Place, encoding, padding and style, by which results are added up. */
  ways: string[];
  payload: string;
  request: DetectRequest;
}

const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const percent = (text: string) => text.replaceAll(/[^A-Za-z0-9_.~-]/g, percentAll);
const percentAll = (text: string) =>
  text.replaceAll(/[^]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** How a payload is written before it is put anywhere. */
const encodings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  double: percent,
  triple: (text) => percent(percent(text)),
  percent_u: (text) =>
    text.replaceAll(/[^A-Za-z0-9]/g, (sign) => `%u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  entities: (text) => text.replaceAll(/[^A-Za-z0-9 ]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  hex_entities: (text) =>
    text.replaceAll(/[^A-Za-z0-9 ]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
  escapes: (text) =>
    text.replaceAll(/[^A-Za-z0-9 ]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  base64: (text) => Buffer.from(text, 'latin1').toString('base64'),
  full_width: (text) =>
    text.replaceAll(/[<>'"/\\;|]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 65248)),
  upper: (text) => text.toUpperCase(),
  mixed: (text) =>
    text.replaceAll(/[^]/g, (sign, index: number) =>
      index % 2 === 0 ? sign.toUpperCase() : sign.toLowerCase(),
    ),
};

const common = ['plain', 'double', 'triple', 'percent_u', 'base64'];
/** The encodings that leave a payload of a class what it is, in some software. */
const encodingsOf: Record<PayloadClass, string[]> = {
  sql: [...common, 'entities', 'escapes', 'full_width', 'upper', 'mixed'],
  html: [...common, 'entities', 'hex_entities', 'escapes', 'full_width'],
  js: [...common, 'entities', 'hex_entities'],
  shell: [...common, 'entities', 'escapes'],
  path: [...common, 'full_width'],
  php: [...common, 'escapes'],
  template: [...common, 'entities', 'escapes'],
  java: [...common, 'entities', 'escapes'],
  log4j: [...common, 'escapes', 'mixed'],
  xxe: [...common, 'entities'],
  nosql: ['plain', 'double'],
  ldap: [...common, 'escapes'],
  deserialisation: ['plain', 'double'],
  ssrf: [...common, 'entities'],
  protocol: ['plain', 'double'],
};

const styles: Record<string, (text: string) => string> = {
  comments: (text) => text.replaceAll(' ', '/**/'),
  long_comments: (text) => text.replaceAll(' ', '/*k-1*/'),
  lines: (text) => text.replaceAll(' ', '\n'),
  tabs: (text) => text.replaceAll(' ', '\t'),
  wide_blanks: (text) => text.replaceAll(' ', '\u00a0'),
  line_comments: (text) => text.replaceAll(/ (?=[a-z(])/g, '--k\n'),
};

const usual: HeaderLine[] = [
  { name: 'Host', value: 'shop.example' },
  {
    name: 'User-Agent',
    value:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  },
  { name: 'Accept', value: '*/*' },
];

function post(type: string, body: string, target = '/save'): DetectRequest {
  return { method: 'POST', target, headers: [...usual, { name: 'Content-Type', value: type }], body };
}

function get(target: string, ...headers: HeaderLine[]): DetectRequest {
  return { method: 'GET', target, headers: [...usual, ...headers], body: '' };
}

const xmlText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Where a payload is put. */
const places: Record<string, (text: string) => DetectRequest> = {
  query: (text) => get(`/list?sort=name&q=${percent(text)}&page=2`),
  form: (text) => post('application/x-www-form-urlencoded', `name=Ann&note=${percent(text)}&save=1`),
  json: (text) => post('application/json', JSON.stringify({ id: 4, item: { tags: ['a', text], ok: true } })),
  json_in_json: (text) => post('application/json', JSON.stringify({ data: JSON.stringify({ v: text }) })),
  xml: (text) => post('text/xml', `<?xml version="1.0"?><order id="4"><note>${xmlText(text)}</note></order>`),
  xml_attribute: (text) =>
    post('application/xml', `<order note="${xmlText(text).replaceAll('"', '&quot;')}"/>`),
  multipart: (text) =>
    post(
      'multipart/form-data; boundary=kkk',
      `--kkk\r\nContent-Disposition: form-data; name="note"\r\n\r\n${text}\r\n--kkk--\r\n`,
    ),
  cookie: (text) => get('/', { name: 'Cookie', value: `lang=en; view=${percent(text)}; last=3` }),
  referer: (text) => get('/', { name: 'Referer', value: `https://shop.example/list?q=${percent(text)}` }),
  second: (text) => get(`/list?q=shoes&q=${percent(text)}`),
};

const fillers: Record<string, (text: string) => string> = {
  front: (text) => 'a'.repeat(12_000) + text,
  prose: (text) => `I would like to know more of it, thank you ${text}`,
  nul: (text) => `${text}\0`,
};

/** All that a payload may break out of may also stand behind other text. */
const breaksOut = (text: string) => /^['"<;|$`(]/.test(text);

/** The whole matrix; always the same. */
export function* mutations(): Generator<Mutation> {
  for (const name of Object.keys(payloads) as PayloadClass[])
    for (const payload of payloads[name]) yield* ofPayload(name, payload);
  for (const file of fileNames)
    for (const type of ['image/png', 'application/octet-stream'])
      yield {
        class: 'upload',
        ways: ['file_name', type],
        payload: file,
        request: post(
          'multipart/form-data; boundary=kkk',
          `--kkk\r\nContent-Disposition: form-data; name="f"; filename="${file}"\r\nContent-Type: ${type}\r\n\r\nGIF89a\r\n--kkk--\r\n`,
        ),
      };
  for (const agent of agents)
    yield {
      class: 'scanner',
      ways: ['agent'],
      payload: agent,
      request: { ...get('/'), headers: [{ name: 'User-Agent', value: agent }] },
    };
}

function* ofPayload(name: PayloadClass, payload: string): Generator<Mutation> {
  const make = (text: string, place: string, ...ways: string[]): Mutation => ({
    class: name,
    ways: [place, ...ways],
    payload: text,
    request: places[place]!(bytes(text)),
  });
  for (const encoding of encodingsOf[name])
    for (const place of Object.keys(places))
      if (mayStand(place, encoding)) yield make(encodings[encoding]!(payload), place, encoding);
  for (const [filler, fill] of Object.entries(fillers))
    if (breaksOut(payload) || filler === 'nul')
      for (const place of ['query', 'json', 'multipart']) yield make(fill(payload), place, 'plain', filler);
  if (name !== 'sql') return;
  for (const [style, write] of Object.entries(styles))
    for (const place of ['query', 'form', 'json', 'cookie'])
      yield make(write(payload), place, 'plain', style);
}

/** What is percent-encoded already in its place gets no third layer there, since no software takes three off. */
function mayStand(place: string, encoding: string): boolean {
  const isEncoded =
    place === 'query' || place === 'form' || place === 'cookie' || place === 'referer' || place === 'second';
  return isEncoded || (encoding !== 'triple' && encoding !== 'percent_u');
}
