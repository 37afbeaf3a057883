// `npm run test:opensearch`: the log store's suite on a real OpenSearch, and closes with `N passed, N failed`. Its libraries come
// from Maven Central; mvn and java are needed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPlatform, installDependencies } from './setup/dependencies.mjs';
import { readVitest } from './setup/results.mjs';
import { SetupError, findProgram, projectNode, root, run, runTool } from './setup/run.mjs';

const minutesMax = 12;

await runTool(async () => {
  checkPlatform();
  const missing = ['mvn', 'java'].filter((name) => !findProgram(name));
  if (missing.length > 0) throw new SetupError(`OpenSearch tests not run: no ${missing.join(', no ')}`);
  await installDependencies();
  const fetched = await run(
    'mvn',
    ['-B', '-q', '-f', 'tools/opensearch/pom.xml', 'dependency:copy-dependencies'],
    {
      minutesMax,
    },
  );
  if (fetched !== 0) {
    console.log('\nOpenSearch tests not run: its libraries could not be fetched\n\n0 passed, 1 failed');
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', 'opensearch', ...reporters, ...process.argv.slice(2)];
  try {
    const code = await run(projectNode, ['node_modules/vitest/vitest.mjs', ...args], { minutesMax });
    const { passed, failed, failures } = readVitest(report, code, root);
    if (failures.length > 0) console.log(`\nFailed:\n${failures.map((each) => `  ✗ ${each}`).join('\n')}`);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed > 0 || passed === 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
