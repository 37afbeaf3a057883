/** Nothing that is taken has more levels; what walks through a value level by level would run out of stack long after. */
const levelsMax = 64;

/** Whether JSON has more levels of lists and objects than anything that is taken. Told from the text, before it is parsed. */
export function isNestedTooDeeply(text: string): boolean {
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '[' || character === '{') {
      if (++level > levelsMax) return true;
    } else if (character === ']' || character === '}') level -= 1;
  }
  return false;
}

/** Where the quote stands that ends a text: found by the engine's own search, for a text may have megabytes. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}
