/**
 * An answer may come without a stated length and have no end. What is not kept ends when its visitor leaves, but what is to
 * be kept the cache reads to the end, whoever has left. So there is a limit; what went beyond it once is no longer kept.
 */
const notes = ngx.shared.edge_stale;
const noteSeconds = 3600;

let bytesMax = 0;

export function setKeptBytesMax(bytes: number): void {
  bytesMax = bytes;
}

export function keptBytesMax(): number {
  return bytesMax;
}

export function noteTooLong(key: string): void {
  notes.set('long/' + key, 1, noteSeconds);
}

export function wasTooLong(key: string): boolean {
  return notes.get('long/' + key) !== undefined;
}
