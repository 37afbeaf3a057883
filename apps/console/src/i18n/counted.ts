/** A count with what it counts, in an English text: 1 request, 12 requests. The count may be written out already. */
export const counted = (count: number | string, one: string, many = `${one}s`): string =>
  `${count} ${String(count) === '1' ? one : many}`;
