// `npm run test:opensearch` and `npm run test:elasticsearch`: the log store's suite on a real one, and closes with
// `N passed, N failed`. Its libraries come from Maven Central; mvn and java are needed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPlatform, installDependencies } from './setup/dependencies.mjs';
import { readVitest } from './setup/results.mjs';
import { SetupError, findProgram, projectNode, root, run, runTool } from './setup/run.mjs';

const minutesMax = 12;
const names = { opensearch: 'OpenSearch', elasticsearch: 'Elasticsearch' };

await runTool(async () => {
  const [engine, ...filters] = process.argv.slice(2);
  const name = names[engine];
  if (!name) throw new SetupError('Usage: npm run test:opensearch|test:elasticsearch [-- path…]');
  checkPlatform();
  const missing = ['mvn', 'java'].filter((program) => !findProgram(program));
  if (missing.length > 0) throw new SetupError(`${name} tests not run: no ${missing.join(', no ')}`);
  await installDependencies();
  // What its pom.xml names comes to its `target/dependency`.
  const pom = `tools/log-engine/${engine}/pom.xml`;
  const fetched = await run('mvn', ['-B', '-q', '-f', pom, 'generate-resources'], { minutesMax });
  if (fetched !== 0) {
    console.log(`\n${name} tests not run: its libraries could not be fetched\n\n0 passed, 1 failed`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', 'log-engine', ...reporters, ...filters];
  try {
    const code = await run(projectNode, ['node_modules/vitest/vitest.mjs', ...args], {
      env: { TEST_LOG_ENGINE: engine },
      minutesMax,
    });
    const { passed, failed, failures } = readVitest(report, code, root);
    if (failures.length > 0) console.log(`\nFailed:\n${failures.map((each) => `  ✗ ${each}`).join('\n')}`);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed > 0 || passed === 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
