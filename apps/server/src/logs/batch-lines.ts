/** A line longer than this is none of nginx's (it caps the request head): it is passed over, not waited for. */
const lineBytesMax = 1024 * 1024;

/** More than this is not taken while it waits to be stored. */
export const waitingBytesMax = 512 * 1024 * 1024;

/** Up to and with the last line break; all of it when it is too long to be the start of a line. */
export function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(10) + 1;
  return end === 0 && bytes.length > lineBytesMax ? bytes : bytes.subarray(0, end);
}

export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++;
  return Math.max(count, 1);
}
