import { randomFrom } from '@breakwater/policy/lib/test-random';
import { pick, type Random } from './benign-texts.ts';

/** What browsers ask of a shop and a forum: pages with queries, files, visitors who come again, and words that nobody searched before. */

const systems = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
  'Linux; Android 10; K',
];
const languages = ['en-US,en;q=0.9', 'zh-CN,zh;q=0.9,en;q=0.8', 'de,en-US;q=0.7,en;q=0.3', 'fr-FR,fr;q=0.9'];
const words =
  'red shoes winter jacket children blue table lamp garden chair large small sale new order 北京 手机'.split(
    ' ',
  );
const sources = ['newsletter', 'search', 'partner-42', 'social'];

const number = (random: Random, max: number) => Math.floor(random() * max);
const hex = (random: Random, length: number) =>
  Array.from({ length }, () => number(random, 16).toString(16)).join('');

function agentOf(random: Random): string {
  const version = 110 + number(random, 20);
  return `Mozilla/5.0 (${pick(random, systems)}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
}

interface Visitor {
  agent: string;
  language: string;
  cookie: string;
}

function visitorOf(random: Random): Visitor {
  const session = hex(random, 32);
  return {
    agent: agentOf(random),
    language: pick(random, languages),
    cookie: `_ga=GA1.2.${number(random, 1e9)}.17${number(random, 1e8)}; session=${session}; theme=dark; cart=${number(random, 1e6)}`,
  };
}

function targetOf(random: Random): string {
  const kind = random();
  if (kind < 0.5)
    return `/assets/${pick(random, ['app', 'vendor', 'logo', 'product'])}.${number(random, 200)}.${pick(random, ['js', 'css', 'png', 'webp'])}`;
  if (kind < 0.75) return `/products/${pick(random, words.slice(0, 13))}/${number(random, 500)}`;
  if (kind < 0.95)
    return `/list?category=${pick(random, words.slice(0, 13))}&page=${number(random, 20)}&sort=price&utm_source=${pick(random, sources)}`;
  const search = Array.from({ length: 3 }, () => pick(random, words)).join(' ');
  return `/search?q=${encodeURIComponent(search)}&from=${number(random, 1e9)}&back=${encodeURIComponent(`https://shop.test/list?page=${number(random, 1e6)}`)}`;
}

export interface OrdinaryRequest {
  target: string;
  headers: Record<string, string>;
}

/** Most of it comes again, as it does; one request in twenty has a query that never was. */
export function ordinaryRequests(count: number): OrdinaryRequest[] {
  const random = randomFrom(42);
  const visitors = Array.from({ length: 600 }, () => visitorOf(random));
  return Array.from({ length: count }, () => {
    const { agent, language, cookie } = pick(random, visitors);
    const target = targetOf(random);
    const isFile = target.startsWith('/assets/');
    return {
      target,
      headers: {
        'User-Agent': agent,
        Accept: isFile ? '*/*' : 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
        'Accept-Language': language,
        'Accept-Encoding': 'gzip, deflate, br',
        Connection: 'keep-alive',
        Cookie: cookie,
        Referer: `https://shop.test/products/${pick(random, words.slice(0, 13))}/${number(random, 500)}`,
        'Sec-Fetch-Dest': isFile ? 'script' : 'document',
        'Sec-Fetch-Mode': isFile ? 'no-cors' : 'navigate',
        'Sec-Fetch-Site': 'same-origin',
        'Sec-Ch-Ua-Platform': '"Windows"',
      },
    };
  });
}

/** For wrk: asks for each in turn, of the host that it was told. */
export function wrkScript(requests: OrdinaryRequest[]): string {
  const quote = (text: string) => JSON.stringify(text);
  const lines = requests.map(({ target, headers }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`);
    return `add(${quote(target)}, {${fields.join(',')}})`;
  });
  // A function of Lua holds so many constants and no more.
  const blocks = Array.from(
    { length: Math.ceil(lines.length / 200) },
    (_, index) =>
      `do local function f()\n${lines.slice(index * 200, index * 200 + 200).join('\n')}\nend table.insert(blocks, f) end`,
  );
  return `local made, at, blocks = {}, 0, {}
local function add(target, headers) headers.Host = wrk.headers.Host; made[#made + 1] = wrk.format("GET", target, headers) end
${blocks.join('\n')}
function init() for _, f in ipairs(blocks) do f() end end
function request() at = at % #made + 1; return made[at] end
`;
}

/** A document of about so many bytes, as an application sends it: names, numbers, dates, addresses of pages, and prose. */
export function jsonDocument(bytes: number): string {
  const random = randomFrom(7);
  const items: unknown[] = [];
  for (let length = 0; length < bytes;) {
    const item = {
      id: number(random, 1e6),
      sku: hex(random, 12),
      title: `${pick(random, words)} ${pick(random, words)}`,
      price: number(random, 10_000) / 100,
      updated_at: `2026-0${1 + number(random, 9)}-1${number(random, 9)}T12:30:00Z`,
      url: `https://shop.test/products/${number(random, 1e5)}?ref=api`,
      tags: [pick(random, words), pick(random, words)],
      note: `Delivered on time, and the customer asked for ${number(random, 9)} more; please call before Friday (afternoon) or write.`,
    };
    items.push(item);
    length += JSON.stringify(item).length + 1;
  }
  return JSON.stringify({ items, page: 1, complete: true });
}
