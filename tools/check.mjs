// `npm run check`: types, lint, format, unused code, repository rules. Plain Node, so that it can set up first.
import { checkPlatform, installDependencies } from './setup/dependencies.mjs';
import { projectNode, run, runTool } from './setup/run.mjs';

await runTool(async () => {
  checkPlatform();
  await installDependencies();
  return run(projectNode, ['tools/check/main.ts', ...process.argv.slice(2)]);
});
