// `npm run test:opensearch` and `npm run test:elasticsearch`: the log store's suite on a real one, and closes with
// `N passed, N failed`. Its libraries come from Maven Central; mvn and java are needed.
import { checkPlatform, installDependencies } from './setup/dependencies.mjs';
import { SetupError, findProgram, run, runTool } from './setup/run.mjs';
import { count, sayFailures, sayTimes, sayUnsteady } from './testing/say.mjs';
import { runVitest } from './testing/vitest-run.mjs';

const fetchMinutesMax = 12;
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
  const fetched = await run('mvn', ['-B', '-q', '-f', pom, 'generate-resources'], {
    minutesMax: fetchMinutesMax,
  });
  if (fetched !== 0) {
    console.log(`\n${name} tests not run: its libraries could not be fetched\n\n0 passed, 1 failed`);
    return 1;
  }
  const result = await runVitest('log-engine', { filters, env: { TEST_LOG_ENGINE: engine } });
  sayTimes(result.files, result.cpuSeconds);
  sayUnsteady(result.unsteady.map((test) => `log-engine: ${test}`));
  sayFailures(result.failures);
  // Tests of the other engines' own files are skipped here, and run in `npm test`.
  console.log(`\n${count({ ...result, skipped: 0 })}`);
  return result.failed > 0 || result.passed === 0 ? 1 : 0;
});
