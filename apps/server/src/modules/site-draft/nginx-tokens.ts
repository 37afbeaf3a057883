/** Reads nginx's configuration language: words, quotes, comments, blocks (http://nginx.org/en/docs/beginners_guide.html). */

export interface Directive {
  name: string;
  args: string[];
  line: number;
  /** Absent: it ended in a semicolon. */
  block?: Directive[];
}

/** A place in the text that cannot be read; `line` and `column` from 1. */
export class NginxSyntaxError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(line: number, column: number) {
    super(`${line}:${column}`);
    this.line = line;
    this.column = column;
  }
}

const depthMax = 20;

class Reader {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fail(): never {
    throw new NginxSyntaxError(this.#line, this.#at - this.#lineStart + 1);
  }

  get line(): number {
    return this.#line;
  }

  /** Spaces and comments. */
  skip(): void {
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) return;
      if (character === '#') while (this.#at < this.#text.length && this.#text[this.#at] !== '\n') this.#at++;
      else if (/\s/.test(character)) this.next();
      else return;
    }
  }

  peek(): string | undefined {
    return this.#text[this.#at];
  }

  next(): string {
    const character = this.#text[this.#at++]!;
    if (character === '\n') {
      this.#line++;
      this.#lineStart = this.#at;
    }
    return character;
  }

  word(): string {
    const quote = this.peek();
    if (quote === '"' || quote === "'") return this.#quoted(quote);
    let word = '';
    for (;;) {
      const character = this.peek();
      if (character === undefined || /[\s;]/.test(character)) return word;
      // A brace ends a word, but for that of a variable.
      if (character === '{' && !word.endsWith('$')) return word;
      if (character === '}' && !/\$\{\w*$/.test(word)) return word;
      word += this.#escaped(this.next(), '');
    }
  }

  #quoted(quote: string): string {
    const start = { line: this.#line, column: this.#at - this.#lineStart + 1 };
    this.next();
    let word = '';
    for (;;) {
      if (this.peek() === undefined) throw new NginxSyntaxError(start.line, start.column);
      const character = this.next();
      if (character === quote) return word;
      word += this.#escaped(character, quote);
    }
  }

  /** nginx drops the backslash before a quote or a backslash, and keeps it before all else. */
  #escaped(character: string, quote: string): string {
    if (character !== '\\') return character;
    const after = this.peek();
    if (after === undefined) return character;
    this.next();
    return after === quote || after === '"' || after === "'" || after === ' ' || after === ';'
      ? after
      : `\\${after}`;
  }
}

export function readNginx(text: string): Directive[] {
  const reader = new Reader(text.replace(/^\uFEFF/, ''));
  return readBlock(reader, 0);
}

function readBlock(reader: Reader, depth: number): Directive[] {
  if (depth > depthMax) reader.fail();
  const directives: Directive[] = [];
  for (;;) {
    reader.skip();
    const character = reader.peek();
    if (character === undefined) return depth === 0 ? directives : reader.fail();
    if (character === '}') {
      if (depth === 0) reader.fail();
      reader.next();
      return directives;
    }
    directives.push(readDirective(reader, depth));
  }
}

function readDirective(reader: Reader, depth: number): Directive {
  const line = reader.line;
  const name = reader.word();
  if (name === '') reader.fail();
  const directive: Directive = { name, args: [], line };
  for (;;) {
    reader.skip();
    const character = reader.peek();
    if (character === undefined) return reader.fail();
    if (character === ';') {
      reader.next();
      return directive;
    }
    if (character === '{') {
      reader.next();
      directive.block = name.endsWith('_by_lua_block') ? [] : readBlock(reader, depth + 1);
      return directive;
    }
    if (character === '}') return reader.fail();
    directive.args.push(reader.word());
  }
}
