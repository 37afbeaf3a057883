// A reporter for vitest: tells the run that started it, over its channel, what happens. The run counts as it goes, so that
// what was tested before a hang is known.

/** What is sent: `{ doing }` when a test or a set-up begins, `{ done }` when it ends, `{ file }` when a file is through, `{ error }` for one outside of tests. */
const send = (message) => process.send?.(message);

export default class RunReporter {
  onTestModuleStart(module) {
    send({ doing: module.relativeModuleId });
  }

  onTestCaseReady(test) {
    send({ doing: nameOf(test) });
  }

  onTestCaseResult(test) {
    send({ done: nameOf(test) });
  }

  onHookEnd() {
    send({ done: 'a hook' });
  }

  onTestModuleEnd(module) {
    send({ done: module.relativeModuleId, file: resultOf(module) });
  }

  onTestRunEnd(_modules, errors) {
    for (const error of errors) send({ error: firstLine(error) });
  }
}

const nameOf = (test) => `${test.module.relativeModuleId} › ${test.fullName}`;
const firstLine = (error) => String(error?.message).split('\n')[0];

/** Counts of a file, what failed and how, and the seconds it took. One that does not load, or whose set-up fails, has no failed test of its own. */
function resultOf(module) {
  const name = module.relativeModuleId;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  for (const test of module.children.allTests()) {
    const { state, errors = [] } = test.result();
    if (state in counts) counts[state] += 1;
    if (state === 'failed') failures.push(`${nameOf(test)}: ${firstLine(errors[0])}`);
  }
  if (module.state() === 'failed' && failures.length === 0) {
    const errors = [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ];
    counts.failed += 1;
    failures.push(`${name}: ${errors.length > 0 ? firstLine(errors[0]) : 'did not run'}`);
  }
  const { collectDuration, duration } = module.diagnostic();
  const seconds = { importSeconds: collectDuration / 1000, testSeconds: duration / 1000 };
  return { name, ...counts, failures, ...seconds };
}
