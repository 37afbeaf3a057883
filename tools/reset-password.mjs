// `npm run reset-password -- NAME`: a new password for an administrator, on the machine of the control plane. Plain Node, so that it can set up first.
import { checkPlatform, installDependencies } from './setup/dependencies.mjs';
import { projectNode, run, runTool } from './setup/run.mjs';

await runTool(async () => {
  checkPlatform();
  await installDependencies();
  return run(projectNode, ['apps/server/src/reset-password.ts', ...process.argv.slice(2)]);
});
