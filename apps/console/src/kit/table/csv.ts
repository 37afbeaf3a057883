/** Tables as CSV by RFC 4180. */

/** A cell that a spreadsheet would run as a formula is shown as text instead; plain numbers stay numbers. */
function guarded(text: string): string {
  if (/^[+-]?\d+(?:[.,]\d+)*\s?%?$/.test(text)) return text;
  return /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** With the byte order mark by which Excel knows UTF-8. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => row.map((cell) => quoted(guarded(cell))).join(',')).join('\r\n')}\r\n`;
}

/** What a drawn cell says: its text, a time in full, a domain name in ASCII, and nothing of buttons and icons. */
export function cellText(cell: Element): string {
  const parts: string[] = [];
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) parts.push(node.textContent ?? '');
    if (!(node instanceof Element) || node.matches('button, svg, [aria-hidden="true"]')) return;
    const meant = node.getAttribute('datetime') ?? node.getAttribute('data-copied');
    if (meant !== null) {
      parts.push(meant);
      return;
    }
    node.childNodes.forEach(walk);
    // What stands apart is read apart.
    if (node !== cell && node.matches('div, p, li, dd, dt, span')) parts.push(' ');
  };
  walk(cell);
  return parts.join('').replace(/\s+/g, ' ').trim();
}

export const csvFile = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' });
