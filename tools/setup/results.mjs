import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Both readers answer with counts and one line per failure; a run that failed without saying where counts as one. */

/** @param exitCode of the run, which may say more than its report: an error outside of any test. */
export function readVitest(report, exitCode, root) {
  if (!existsSync(report)) return withExitCode({ passed: 0, failed: 0, skipped: 0, failures: [] }, exitCode);
  const { testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const failures = [];
  let failedFiles = 0;
  for (const file of testResults) {
    const name = relative(root, file.name);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    for (const test of failed) failures.push(`${name} › ${test.fullName}`);
    // A file that does not load, or whose set-up fails, has no failed test of its own.
    if (file.status !== 'failed' || failed.length > 0) continue;
    failedFiles += 1;
    failures.push(`${name}: ${String(file.message).split('\n')[0] || 'did not run'}`);
  }
  const counts = {
    passed: numPassedTests,
    failed: numFailedTests + failedFiles,
    skipped: numPendingTests + numTodoTests,
  };
  return withExitCode({ ...counts, failures }, exitCode);
}

export function readChecks(report, exitCode) {
  if (!existsSync(report)) return withExitCode({ passed: 0, failed: 0, skipped: 0, failures: [] }, exitCode);
  const checks = JSON.parse(readFileSync(report, 'utf8'));
  const failures = checks.filter((check) => !check.ok).map((check) => check.name);
  return withExitCode(
    { passed: checks.length - failures.length, failed: failures.length, skipped: 0, failures },
    exitCode,
  );
}

function withExitCode(result, exitCode) {
  if (exitCode === 0 || result.failed > 0) return result;
  return { ...result, failed: 1, failures: [`the run ended with exit code ${exitCode}; see its output`] };
}
