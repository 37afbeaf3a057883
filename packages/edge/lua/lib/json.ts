/**
 * JSON in plain Lua, for Debian's nginx brings no library for it. Arrays and objects both become tables; `null` is
 * refused, since documents carry none. Positions are Lua's, from 1.
 */

const depthMax = 32;
const escapes: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
};

let text = '';
let at = 1;
let takesNull = false;

/** The value of a JSON text, or nothing and the reason. Of others' texts a `null` may be left out as if it was not there. */
export function decodeJson(
  source: string,
  leavesOutNull = false,
): LuaMultiReturn<[unknown, string | undefined]> {
  takesNull = leavesOutNull;
  text = source;
  at = 1;
  const [isDone, result] = pcall(() => {
    const value = readValue(0);
    skipSpace();
    if (at <= text.length) fail('something follows the value');
    return value;
  });
  text = '';
  if (isDone) return $multi(result, undefined);
  return $multi(undefined, tostring(result));
}

function fail(problem: string): never {
  return error(`JSON: ${problem} at byte ${at}`, 0);
}

function skipSpace(): void {
  at = string.find(text, '[^ \t\r\n]', at)[0] ?? text.length + 1;
}

function readValue(depth: number): unknown {
  if (depth > depthMax) fail('nested too deeply');
  skipSpace();
  const first = string.byte(text, at) as number | undefined;
  if (first === 123) return readObject(depth);
  if (first === 91) return readArray(depth);
  if (first === 34) return readString();
  const [word] = string.match(text, '^[a-z]+', at);
  if (word === 'true' || word === 'false') {
    at += word.length;
    return word === 'true';
  }
  if (word === 'null') {
    if (!takesNull) fail('null is not allowed');
    at += word.length;
    return undefined;
  }
  const [number] = string.match(text, '^-?%d+%.?%d*[eE]?[+-]?%d*', at);
  const value = number === undefined ? undefined : tonumber(number);
  if (number === undefined || value === undefined) return fail('no value');
  at += number.length;
  return value;
}

/** Steps over one of two characters: true when it is the first of them. */
function isNext(more: number, end: number): boolean {
  skipSpace();
  const code = string.byte(text, at) as number | undefined;
  if (code !== more && code !== end) fail('a comma or an end is missing');
  at += 1;
  return code === more;
}

function isEmpty(end: number): boolean {
  skipSpace();
  if ((string.byte(text, at) as number | undefined) !== end) return false;
  at += 1;
  return true;
}

function readArray(depth: number): unknown[] {
  const list: unknown[] = [];
  at += 1;
  if (isEmpty(93)) return list;
  do {
    const value = readValue(depth + 1);
    if (value !== undefined) list.push(value);
  } while (isNext(44, 93));
  return list;
}

function readObject(depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  at += 1;
  if (isEmpty(125)) return object;
  do {
    skipSpace();
    if ((string.byte(text, at) as number | undefined) !== 34) fail('a name is missing');
    const name = readString();
    skipSpace();
    if ((string.byte(text, at) as number | undefined) !== 58) fail('a colon is missing');
    at += 1;
    object[name] = readValue(depth + 1);
  } while (isNext(44, 125));
  return object;
}

function readString(): string {
  at += 1;
  const parts: string[] = [];
  while (true) {
    const [end] = string.find(text, '["\\]', at);
    if (end === undefined) return fail('a string does not end');
    parts.push(string.sub(text, at, end - 1));
    at = end + 1;
    if (string.byte(text, end) === 34) return parts.length === 1 ? parts[0]! : table.concat(parts);
    parts.push(readEscape());
  }
}

function readEscape(): string {
  const letter = string.sub(text, at, at);
  const plain = escapes[letter];
  if (plain !== undefined) {
    at += 1;
    return plain;
  }
  let code = letter === 'u' ? readHex(at + 1) : undefined;
  if (code === undefined) return fail('an unknown escape');
  at += 5;
  if (code >= 0xd800 && code < 0xdc00 && string.sub(text, at, at + 1) === '\\u') {
    const low = readHex(at + 2);
    if (low === undefined || low < 0xdc00 || low > 0xdfff) return fail('half a character');
    code = 0x10000 + (code - 0xd800) * 1024 + (low - 0xdc00);
    at += 6;
  }
  return utf8(code);
}

function readHex(from: number): number | undefined {
  const [digits] = string.match(text, '^%x%x%x%x', from);
  return digits === undefined ? undefined : tonumber(digits, 16);
}

function utf8(code: number): string {
  const tail = (shift: number) => 128 + (math.floor(code / shift) % 64);
  if (code < 0x80) return string.char(code);
  if (code < 0x800) return string.char(192 + math.floor(code / 64), tail(1));
  if (code < 0x10000) return string.char(224 + math.floor(code / 4096), tail(64), tail(1));
  return string.char(240 + math.floor(code / 262144), tail(4096), tail(64), tail(1));
}

/** JSON of strings, numbers, booleans, arrays and objects; an empty table is an empty array. */
export function encodeJson(value: unknown): string {
  if (type(value) === 'string') return encodeString(value as string);
  if (type(value) !== 'table') return tostring(value);
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(encodeJson(item));
    return `[${table.concat(parts, ',')}]`;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) parts.push(`${encodeString(name)}:${encodeJson(object[name])}`);
  return `{${table.concat(parts, ',')}}`;
}

function encodeString(value: string): string {
  const [escaped] = string.gsub(value, '[%c"\\]', (found: string) =>
    string.format('\\u%04x', string.byte(found)),
  );
  return `"${escaped}"`;
}
