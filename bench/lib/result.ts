/** The one line that a benchmark closes with; machines read it. Numbers are rounded to four significant digits. */
export function printResult(
  bench: string,
  ratios: Record<string, number>,
  figures: Record<string, number>,
): void {
  console.log(`RESULT ${JSON.stringify({ bench, ratios: rounded(ratios), figures: rounded(figures) })}`);
}

function rounded(numbers: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, number]) => [
      name,
      Number.isInteger(number) ? number : Number(number.toPrecision(4)),
    ]),
  );
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
