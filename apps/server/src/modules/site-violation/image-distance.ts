/** How many of the 64 bits differ. */
export function imageDistance(one: string, other: string): number {
  let distance = 0;
  for (let at = 0; at < one.length; at += 8) {
    let differing =
      (Number.parseInt(one.slice(at, at + 8), 16) ^ Number.parseInt(other.slice(at, at + 8), 16)) >>> 0;
    for (; differing !== 0; differing &= differing - 1) distance += 1;
  }
  return distance;
}
