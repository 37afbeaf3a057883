const slowestMax = 10;

export function count({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export function sayFailures(failures) {
  if (failures.length > 0)
    console.log(`\nFailed:\n${failures.map((failure) => `  ✗ ${failure}`).join('\n')}`);
}

/** Tests that failed at first and held when they were run again: each tells of a fault, of the product or its own. */
export function sayUnsteady(names) {
  if (names.length > 0)
    console.log(`\nPassed at the second try only:\n${names.map((name) => `  ↻ ${name}`).join('\n')}`);
}

/** Where the time of a stage went: processor time, imports, tests with their set-ups; and its slowest files. */
export function sayTimes(files, cpuSeconds) {
  if (files.length < 2) return;
  const sum = (key) => files.reduce((seconds, file) => seconds + file[key], 0);
  console.log(
    `   processors ${cpuSeconds.toFixed(0)} s · imports ${sum('importSeconds').toFixed(0)} s · tests and set-ups ${sum('testSeconds').toFixed(0)} s, of all files together. The slowest:`,
  );
  const slowest = files.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, slowestMax);
  for (const file of slowest) console.log(`   ${secondsOf(file).toFixed(1).padStart(6)} s  ${file.name}`);
}

const secondsOf = (file) => file.importSeconds + file.testSeconds;
