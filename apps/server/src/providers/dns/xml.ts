/** As much of XML as answers of Route 53 need: elements without attributes that do not stand within their own kind. */

/** What stands between the tags of each such element, in their order. */
export const elementsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner);

/** The text of the first such element. */
export function textOf(xml: string, name: string): string | undefined {
  const [inner] = elementsOf(xml, name);
  return inner?.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, entity) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(parseInt(String(hex), 16));
    return entities[String(entity)] ?? whole;
  });
}
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export const xmlEscaped = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
