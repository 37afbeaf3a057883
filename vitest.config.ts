import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const skipped = ['**/node_modules/**', '**/dist/**'];

/**
 * Files at a time, for each core: all wait at times, for a database, a browser, the clock, or what nginx lets go. No more than
 * there are shares of ports (`packages/test-world/src/ports.ts`), and connections to the database.
 */
const cores = Math.max(2, availableParallelism());
const perCore = (files: number) => Math.min(16, Math.ceil(cores * files));

/** Browser tests: a worker keeps its Chromium, and the modules of server and agent, for all of its files. */
const inBrowser = {
  exclude: [],
  seconds: 300,
  workers: perCore(2),
  more: {
    environment: './e2e/chromium.ts',
    setupFiles: ['e2e/setup.ts'],
    // As long as a browser waits for an element: machines are busy at times.
    expect: { poll: { timeout: 60_000 } },
  },
};

interface Project {
  include: string[];
  exclude: string[];
  seconds: number;
  workers: number;
  more?: typeof inBrowser.more;
}

/** What a test needs decides its project: nothing, a database, nginx, a browser. The folder tells. */
const projects: Record<string, Project> = {
  unit: {
    include: [
      'packages/{contract,policy,edge}/**/*.test.ts',
      'apps/console/**/*.test.{ts,tsx}',
      'tools/**/*.test.{ts,mjs}',
    ],
    exclude: ['packages/edge/test/**', '**/*.edge.test.ts'],
    seconds: 120,
    workers: perCore(1.5),
  },
  server: {
    include: ['apps/{server,agent}/**/*.test.ts', 'packages/test-world/**/*.test.ts'],
    exclude: ['**/*.edge.test.ts', '**/test-fuzz/**'],
    seconds: 180,
    workers: perCore(2),
  },
  // Every call of the contract with everything that does not belong into it.
  fuzz: { include: ['apps/server/test-fuzz/**/*.test.ts'], exclude: [], seconds: 120, workers: perCore(1.5) },
  // The log store's suite once more, on a real OpenSearch or Elasticsearch (`npm run test:opensearch`, `test:elasticsearch`).
  'log-engine': {
    include: ['apps/server/src/logs/**/*.test.ts'],
    exclude: [],
    seconds: 120,
    workers: 1,
  },
  edge: {
    include: ['packages/edge/test/**/*.test.ts', '{apps,packages}/**/*.edge.test.ts'],
    exclude: [],
    seconds: 180,
    workers: perCore(3),
  },
  // An installation that runs (`npm run test:attack -- --at FILE`).
  attack: { include: ['**/*.attack.ts'], exclude: [], seconds: 120, workers: 1 },
  browser: { include: ['e2e/*.test.ts'], ...inBrowser },
  // Every screen in all settings (`npm run test:looks`).
  looks: { include: ['e2e/looks/*.test.ts'], ...inBrowser },
};

/** A PostgreSQL for the run, of which each test clones a database of its own; and an engine for logs. */
function setupOf(name: string): string[] {
  if (name === 'unit' || name === 'attack') return [];
  const setups = name === 'log-engine' ? ['global-setup', 'log-engine-setup'] : ['global-setup'];
  return setups.map((setup) => `packages/test-world/src/${setup}.ts`);
}

export default defineConfig({
  test: {
    pool: 'forks',
    projects: Object.entries(projects).map(([name, { include, exclude, seconds, workers, more }], order) => ({
      test: {
        name,
        include,
        exclude: [...skipped, ...exclude],
        testTimeout: seconds * 1000,
        hookTimeout: 180_000,
        globalSetup: setupOf(name),
        // Tests of one file that run at once mostly wait.
        maxConcurrency: 16,
        // As long as a browser waits for an element: machines are busy at times.
        expect: { poll: { timeout: 15_000 } },
        maxWorkers: workers,
        // With it each file would load the whole server anew, which costs more than most files' tests.
        isolate: false,
        sequence: { groupOrder: order },
        ...more,
      },
    })),
  },
});
