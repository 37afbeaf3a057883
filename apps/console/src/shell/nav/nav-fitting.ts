/** How many of the widths have room, when those that have none go into one more of `restWidth`. */
export function fittingOf(widths: readonly number[], restWidth: number, room: number): number {
  let used = 0;
  let fitting = 0;
  for (const [index, width] of widths.entries()) {
    used += width;
    const isLast = index === widths.length - 1;
    if (used + (isLast ? 0 : restWidth) <= room) fitting = index + 1;
  }
  return fitting;
}
