import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root, type Rule } from './sources.ts';
import { forGo, keepingTypes, typeChecker } from './types.ts';

/** All that is checked without running the product. Each answers with its complaint, or nothing. */
interface Check {
  name: string;
  run(): Promise<string>;
}

const program = (name: string, command: string, ...args: string[]): Check => ({
  name,
  run: () =>
    new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: root,
        env: { ...process.env, ...forGo },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += String(chunk)));
      child.once('error', reject);
      child.once('close', (code) => resolve(code === 0 ? '' : output.trim() || `exit code ${code}`));
    }),
});

const bin = (name: string) => join(root, 'node_modules/.bin', name);

const types = (name: string, project: string): Check =>
  program(
    `types: ${name}`,
    process.execPath,
    join(root, typeChecker),
    '-p',
    project,
    '--pretty',
    'false',
    ...keepingTypes(project),
  );

const programs: Check[] = [
  // The longest first.
  types('console', 'apps/console'),
  types('server, agent, packages, tests, tools', '.'),
  types('browser tests', 'e2e'),
  program('lint', 'npm', 'run', '--silent', 'lint'),
  program('format', bin('oxfmt'), '--list-different'),
  program(
    'unused files, exports and dependencies',
    bin('knip'),
    '--no-progress',
    '--treat-config-hints-as-errors',
  ),
  program('API description is fresh', process.execPath, 'tools/openapi.ts', '--check'),
];

const rule = ({ name, find }: Rule): Check => ({ name, run: async () => (await find()).join('\n') });

/** The rules import the contract and the server: when those do not load, that is one failed check, not the end. */
async function loadRules(): Promise<Check[]> {
  const groups: Record<string, Promise<Rule[]>> = {
    imports: import('./import-rules.ts').then((module) => module.importRules),
    sources: import('./source-rules.ts').then((module) => module.sourceRules),
    scopes: import('./scope-rules.ts').then((module) => module.scopeRules),
    contract: import('./contract-rules.ts').then((module) => module.contractRules),
    documents: import('./document-rules.ts').then((module) => module.documentRules),
  };
  const loaded = Object.entries(groups).map(([name, rules]) =>
    rules.then(
      (found) => found.map(rule),
      (error: unknown): Check[] => [{ name: `the rules on ${name} load`, run: async () => String(error) }],
    ),
  );
  return (await Promise.all(loaded)).flat();
}

const reportAt = process.argv.indexOf('--report');
const report: { name: string; ok: boolean }[] = [];
const waiting = [...programs, ...(await loadRules())];

/** Takes one check after the other, beside others that do; each is told whole. */
async function work(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const started = performance.now();
    const complaint = await check.run().catch((error: unknown) => String(error));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${complaint ? '✗' : '✓'} ${check.name} (${seconds} s)`);
    if (complaint) console.log(complaint.replace(/^/gm, '    '));
    report.push({ name: check.name, ok: !complaint });
  }
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
const failed = report.filter((each) => !each.ok).length;
const reportFile = reportAt < 0 ? undefined : process.argv[reportAt + 1];
if (reportFile) writeFileSync(reportFile, JSON.stringify(report));
else console.log(`\n${report.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
