import { fieldNamesOf, routes, siteSectionNames } from '@breakwater/contract';

const fields = fieldNamesOf(Object.values(routes));
const known = new Set([...fields.known, ...siteSectionNames, 'code', 'message', 'data', 'errors', 'path']);

/** Whether the contract knows a field of this name. */
export const isField = (name: string): boolean => known.has(name);
export const isSecretField = (name: string): boolean => fields.secret.has(name);
/** What is kept of a call; a text is cut before it is looked through, for it may have megabytes. */
export const textMax = 4096;

/** No input that is taken has more levels; what is refused may have any number. */
const levelsMax = 40;

/**
 * A copy without secrets: `***` stands for the value of a field that the contract marks as one, of a field that it does not
 * know, and of a header field. Of addresses the host stays. What is nested too deeply is `…`.
 */
export function mask(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return withoutTokens(value.slice(0, textMax));
  if (typeof value !== 'object' || value === null) return value;
  if (level === levelsMax) return '…';
  if (Array.isArray(value)) return value.map((item) => mask(item, level + 1));
  // Header fields that a site sets: any of them may carry a key.
  const isHeader = 'name' in value && 'value' in value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const shown = known.has(key) && !fields.secret.has(key) && !(isHeader && key === 'value');
      return [
        known.has(key) ? key : withoutTokens(key),
        shown || item === null ? mask(item, level + 1) : '***',
      ];
    }),
  );
}

/** The arguments of a call, of which those hold secrets that the contract does not know. */
export function maskQuery(query: string): string {
  const params = new URLSearchParams(query);
  for (const [key, value] of params.entries().toArray())
    params.set(key, known.has(key) && !fields.secret.has(key) ? withoutTokens(value) : '***');
  return params.toString();
}

/** An address may carry a password, or a token in its path or its arguments: of a full one the host stays. */
function withoutTokens(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/@"']*@)?([^\s/?#"'<>]*)([^\s"'<>]*)/gi, maskAddress)
    .replace(/([?&][\w.~%[\]-]{1,100}=)[^\s&#"'<>]+/g, '$1***');
}

const maskAddress = (_address: string, scheme: string, host: string, rest: string): string =>
  scheme + host + (rest === '' || rest === '/' ? rest : '/***');
