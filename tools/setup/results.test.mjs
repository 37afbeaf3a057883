import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readChecks, readVitest } from './results.mjs';

const folder = mkdtempSync(join(tmpdir(), 'breakwater-results-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reportWith(content) {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const counts = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 };
const goodFile = { name: '/project/a.test.ts', status: 'passed', message: '', assertionResults: [] };

test('tests that failed are named', () => {
  const failed = [{ status: 'failed', fullName: 'adds a site' }];
  const report = reportWith({
    ...counts,
    numFailedTests: 1,
    testResults: [goodFile, { ...goodFile, status: 'failed', assertionResults: failed }],
  });
  expect(readVitest(report, 1, '/project')).toEqual({
    passed: 3,
    failed: 1,
    skipped: 1,
    failures: ['a.test.ts › adds a site'],
  });
});

test('a file that does not load counts as a failure', () => {
  const broken = { ...goodFile, status: 'failed', message: 'no such module\n  at line 1' };
  const report = reportWith({ ...counts, testResults: [broken] });
  expect(readVitest(report, 1, '/project')).toMatchObject({
    failed: 1,
    failures: ['a.test.ts: no such module'],
  });
});

test('a run that ends badly without a failed test counts as one failure', () => {
  const report = reportWith({ ...counts, testResults: [goodFile] });
  expect(readVitest(report, 1, '/project')).toMatchObject({ passed: 3, failed: 1 });
  expect(readVitest(join(folder, 'absent.json'), 1, '/project')).toMatchObject({ passed: 0, failed: 1 });
  expect(readVitest(report, 0, '/project')).toMatchObject({ passed: 3, failed: 0 });
});

test('each check counts as one', () => {
  const report = reportWith([
    { name: 'lint', ok: true },
    { name: 'format', ok: false },
  ]);
  expect(readChecks(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0, failures: ['format'] });
});
