import { randomFrom } from '../../packages/policy/src/lib/test-random.ts';
import type { DetectRequest, HeaderLine } from '../../packages/policy/src/detect/types.ts';
import { benignText, kindNames, pick, type Random } from './benign-texts.ts';

export interface HardNegative {
  kind: string;
  text: string;
  request: DetectRequest;
}

const usual: HeaderLine[] = [
  { name: 'Host', value: 'forum.example' },
  {
    name: 'User-Agent',
    value:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
  },
  {
    name: 'Cookie',
    value: 'sid=s%3Aab12.cd%2Bef%3D%3D; theme=dark; _ga=GA1.2.11.22; prefs={"lang":"en","tz":"+01:00"}',
  },
];

const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

function post(type: string, body: string): DetectRequest {
  return {
    method: 'POST',
    target: '/post/12',
    headers: [...usual, { name: 'Content-Type', value: type }],
    body: bytes(body),
  };
}

const places: ((text: string) => DetectRequest)[] = [
  (text) => ({
    method: 'GET',
    target: `/search?q=${encodeURIComponent(text)}&page=1`,
    headers: usual,
    body: '',
  }),
  (text) =>
    post(
      'application/x-www-form-urlencoded; charset=utf-8',
      new URLSearchParams({ title: 'x', body: text }).toString(),
    ),
  (text) => post('application/json', JSON.stringify({ post: { title: 'x', body: text, tags: ['a'] } })),
  (text) =>
    post(
      'multipart/form-data; boundary=qq',
      `--qq\r\nContent-Disposition: form-data; name="body"\r\n\r\n${text}\r\n--qq--\r\n`,
    ),
];

/** `count` harmless requests, always the same. */
export function* hardNegatives(count: number): Generator<HardNegative> {
  const random = randomFrom(71);
  for (let index = 0; index < count; index++) {
    const kind = kindNames[index % kindNames.length]!;
    const text = longer(random, kind, benignText(random, kind));
    yield { kind, text, request: pick(random, places)(text) };
  }
}

/** Some are of several pieces, as posts are. */
function longer(random: Random, kind: string, text: string): string {
  if (random() < 0.6) return text;
  return `${text}\n\n${benignText(random, random() < 0.5 ? kind : 'prose')}\n${random() < 0.3 ? benignText(random, kind) : ''}`;
}
