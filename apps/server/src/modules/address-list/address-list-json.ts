/**
 * Lists that a provider publishes as JSON, as lines: an array of texts, or an object whose arrays are such (`{"addresses": […],
 * "ipv6_addresses": […]}`). Nothing for JSON of another shape: of all addresses somewhere in it nobody knows what they are for.
 */
export function linesOfJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parsed(text);
  if (Array.isArray(value)) return linesOf([value]);
  if (typeof value !== 'object' || value === null) return undefined;
  return linesOf(Object.values(value).filter((field) => typeof field === 'object'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function linesOf(arrays: readonly unknown[]): string | undefined {
  const entries = arrays.flat();
  const areTexts = entries.every((entry) => typeof entry === 'string' && !entry.includes('\n'));
  return areTexts && entries.length > 0 ? entries.join('\n') : undefined;
}
