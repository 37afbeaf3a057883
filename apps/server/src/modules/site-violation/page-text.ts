/** What a page says and where it leads, read in one pass: no markup, however broken, takes longer than its length. */
export interface PageText {
  text: string;
  links: string[];
  images: string[];
}

/** Words go on through these; any other tag ends one. */
const inline = new Set(
  'a b i u s em strong span font mark small big sub sup wbr bdi bdo ins del abbr code q'.split(' '),
);
const hidden = new Set(['script', 'style', 'template']);

export function readPage(html: string): PageText {
  const parts: string[] = [];
  const links: string[] = [];
  const images: string[] = [];
  for (let at = 0; at < html.length;) {
    const open = html.indexOf('<', at);
    if (open < 0 || open > at) parts.push(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const close = html.indexOf('>', open);
    if (close < 0) break;
    const tag = html.slice(open + 1, Math.min(close, open + tagMax));
    const name = /^\/?([a-zA-Z][a-zA-Z0-9]*)/.exec(tag)?.[1]?.toLowerCase() ?? '';
    if (!inline.has(name)) parts.push('\n');
    noteAttributes(name, tag, { parts, links, images });
    at = close + 1;
    if (hidden.has(name) && !tag.startsWith('/')) {
      const end = indexOfEnd(html, name, at);
      at = end < 0 ? html.length : end;
    }
  }
  return { text: decodeEntities(parts.join('')), links, images };
}

const tagMax = 8192;

/** Where an element that holds no markup ends. */
function indexOfEnd(html: string, name: string, from: number): number {
  const wanted = `</${name}`;
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2))
    if (html.slice(at, at + wanted.length).toLowerCase() === wanted) return at;
  return -1;
}

function noteAttributes(
  name: string,
  tag: string,
  { parts, links, images }: { parts: string[]; links: string[]; images: string[] },
) {
  if (!tag.includes('=')) return;
  for (const [, field = '', double, single, bare] of tag.matchAll(
    /([a-zA-Z-]{1,32})\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g,
  )) {
    const value = decodeEntities(double ?? single ?? bare ?? '').trim();
    const attribute = field.toLowerCase();
    if (name === 'img' && attribute === 'src') images.push(value);
    else if (['href', 'src', 'action', 'data-src'].includes(attribute)) links.push(value);
    // What search engines and readers of screens are told.
    else if (
      ['alt', 'title', 'placeholder'].includes(attribute) ||
      (name === 'meta' && attribute === 'content')
    )
      parts.push('\n', value, '\n');
  }
}

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
};

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{1,8}));/g,
    (whole, tens, hex, name) => {
      if (name !== undefined) return named[(name as string).toLowerCase()] ?? whole;
      const code = tens === undefined ? Number.parseInt(hex as string, 16) : Number(tens);
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : '';
    },
  );
}

/** By its mark, what the header says, what the page says; else UTF-8, and GB18030 where it is none. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const marked = head.startsWith('\xff\xfe')
    ? 'utf-16le'
    : head.startsWith('\xfe\xff')
      ? 'utf-16be'
      : undefined;
  const said =
    marked ??
    /charset\s*=\s*["']?([\w-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
  if (said !== undefined) {
    try {
      return new TextDecoder(said).decode(bytes);
    } catch {
      // No such encoding.
    }
  }
  return decodeUtf8(bytes) ?? decodeGb18030(bytes);
}

/** What somebody typed. One stray byte must not turn all of it into something else, so that what is no UTF-8 is read both ways. */
export const decodeTyped = (bytes: Uint8Array): string =>
  decodeUtf8(bytes) ?? `${new TextDecoder().decode(bytes)}\n${decodeGb18030(bytes)}`;

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const decodeGb18030 = (bytes: Uint8Array): string => new TextDecoder('gb18030').decode(bytes);
