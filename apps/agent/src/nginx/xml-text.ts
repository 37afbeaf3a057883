const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text as XML writes it, as it is meant. */
export const unescapeXml = (text: string): string =>
  text
    .replace(/&#(x?)([0-9a-f]{1,6});/gi, (_, hex: string, digits: string) =>
      String.fromCodePoint(Math.min(0x10_ff_ff, Number.parseInt(digits, hex === '' ? 10 : 16) || 0)),
    )
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!);
