/** Whether a text fits a pattern in which `*` stands for any text, also none. In time of their product at worst. */
export function fitsWildcard(pattern: string, text: string): boolean {
  if (pattern.indexOf('*') < 0) return pattern === text;
  const parts = pattern.split('*');
  const last = parts.length - 1;
  const head = parts[0]!;
  const tail = parts[last]!;
  if (text.length < head.length + tail.length) return false;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  const end = text.length - tail.length;
  for (let index = 1; index < last; index++) {
    const part = parts[index]!;
    if (part === '') continue;
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
