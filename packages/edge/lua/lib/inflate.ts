import * as ffi from 'ffi';

/** Unpacks what visitors send packed, with the zlib that nginx is linked to; never more than is asked for, whatever it says of itself. */

ffi.cdef(`
typedef struct { const uint8_t *next_in; unsigned int avail_in; unsigned long total_in;
  uint8_t *next_out; unsigned int avail_out; unsigned long total_out; const char *msg; void *state;
  void *zalloc; void *zfree; void *opaque; int data_type; unsigned long adler; unsigned long reserved; } edge_z_stream;
const char *zlibVersion(void);
int inflateInit2_(edge_z_stream *stream, int window_bits, const char *version, int stream_size);
int inflateReset2(edge_z_stream *stream, int window_bits);
int inflate(edge_z_stream *stream, int flush);
`);

interface Stream {
  next_in: string;
  avail_in: number;
  next_out: ffi.Pointer;
  avail_out: number;
}

/** The most that may be asked for: `body_bytes` of the contract. */
const bytesMax = 131_072;
const room = ffi.new(`uint8_t[${bytesMax + 1}]`);
const stream = ffi.new('edge_z_stream') as unknown as Stream & ffi.Pointer;
let isReady: boolean | undefined;

const gzip = 31;
const zlib = 15;
const raw = -15;
const streamEnd = 1;
/** A file of gzip may have several parts, one after the other. */
const partsMax = 50;

export interface Inflated {
  text: string;
  /** There is no more of it, and nothing behind it. */
  isWhole: boolean;
}

/** Nothing where it is packed in a way that is not known here. Of what is broken what stands before that comes. */
export function inflated(content: string, coding: string, max: number): Inflated | undefined {
  const bits = windowOf(coding, content);
  if (bits === undefined || max > bytesMax || !isBegun(bits)) return undefined;
  stream.next_in = content;
  stream.avail_in = content.length;
  stream.next_out = room;
  // One more than is asked for: by that it is known that there is more.
  stream.avail_out = max + 1;
  let result = ffi.C.inflate(stream, 0);
  for (let parts = 1; parts < partsMax && goesOn(result, bits); parts++) {
    ffi.C.inflateReset2(stream, bits);
    result = ffi.C.inflate(stream, 0);
  }
  const length = max + 1 - stream.avail_out;
  return {
    text: ffi.string(room, length > max ? max : length),
    isWhole: result === streamEnd && stream.avail_in === 0 && length <= max,
  };
}

const goesOn = (result: number, bits: number): boolean =>
  result === streamEnd && bits === gzip && stream.avail_in > 0 && stream.avail_out > 0;

/** What says to be `deflate` comes with the header of zlib (RFC 9110 §8.4.1.2), or from some clients without it. */
function windowOf(coding: string, content: string): number | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return gzip;
  if (coding !== 'deflate') return undefined;
  const first = string.byte(content, 1) ?? 0;
  const second = string.byte(content, 2) ?? 0;
  return first % 16 === 8 && (first * 256 + second) % 31 === 0 ? zlib : raw;
}

function isBegun(bits: number): boolean {
  isReady ??= ffi.C.inflateInit2_(stream, bits, ffi.C.zlibVersion(), ffi.sizeof('edge_z_stream')) === 0;
  return isReady && ffi.C.inflateReset2(stream, bits) === 0;
}
