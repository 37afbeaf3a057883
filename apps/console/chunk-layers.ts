import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { fileURLToPath } from 'node:url';

/** Names the file of the build that a module goes to; null leaves it to the bundler. */
export type ChunkOf = (moduleId: string) => string | null;

/** What every page needs, in few files: a browser fetches six at a time. */
export const baseGroups = [
  {
    name: 'styles',
    test: /node_modules\/(@mui\/(system|styled-engine|utils|private-theming|material\/(styles|utils))|@emotion|stylis)\/|^\0rolldown\/runtime/,
  },
  { name: 'zod', test: /node_modules\/zod\/|zod-without-eval/ },
  {
    name: 'react',
    test: /node_modules\/(react|react-dom|scheduler)\//,
  },
  {
    name: 'router',
    test: /node_modules\/@tanstack\/(react-router|router-core|history|react-store|store|react-query|query-core)\//,
  },
];

/** The files that a page runs most of at once: those of the start, of the frame and of lists, by role. */
export const calledOnLoad: ReadonlySet<string> = new Set([
  'index',
  'react',
  'styles',
  'router',
  'operator',
  'customer',
  'shell',
  'table',
  'tables',
  'inputs',
  'overlays',
  'site',
  'sites',
]);

const source = (file: string) => fileURLToPath(new URL(`src/${file}`, import.meta.url));

/**
 * Sorts what screens share into a few files by the stages of a visit. Left alone, the bundler makes a file for every set
 * of screens that share something: more than a hundred, which a browser fetches six at a time.
 */
export async function layerChunks(config: InlineConfig): Promise<ChunkOf> {
  const needsOf = await knowNeeds(config);
  const early = needsOf('api/early-reads.ts');
  const start = needsOf('main.tsx');
  const guests = needsOf('shell/guests.tsx');
  const shell = needsOf('shell/console.tsx', 'shell/dashboard-layout.tsx', 'shell/screens/shared.ts');
  const home = needsOf('features/home/home.tsx');
  const sites = needsOf('features/site/list/list.tsx');
  const site = needsOf('features/site/detail/detail.tsx');
  const tables = needsOf('frame/list-table.tsx', 'frame/list.ts', 'frame/filters.ts', 'api/options.ts');
  const forms = needsOf('kit/form/form-parts.tsx', 'kit/toast.ts', 'frame/asking.tsx', 'frame/editing.tsx');
  const overlays = needsOf('kit/action-menu.tsx', 'kit/hint-bubble.tsx');
  const inputs = needsOf('kit/fields/remote-picker.tsx', 'kit/table/table-pager.tsx');
  const filters = needsOf('kit/filter/filter-bar-content.tsx');
  const fields = needsOf('kit/fields/inputs.tsx');
  const page = needsOf('kit/detail-page.tsx');
  const screens = home.intersection(tables.union(filters).union(sites).union(overlays));
  const layers: [name: string, modules: Set<string>][] = [
    // Run before anything else is there: what the server is asked with.
    ['early', early],
    ['start', start.union(guests.intersection(shell.union(tables).union(forms)))],
    ['guests', guests],
    ['shell', shell.union(screens)],
    ['home', home],
    // The guide of an empty installation has commands to copy, and no table.
    ['copy', needsOf('kit/copy-text.tsx')],
    // Fetched with every screen, so that a message can be shown when the server is away.
    ['messages', needsOf('shell/toasts.tsx')],
    // A table by itself, as on the page of a site; lists have filters besides. What both have more in common is in it too.
    ['table', needsOf('kit/table/data-table.tsx').union(page.union(sites).intersection(inputs))],
    ['site', sites.intersection(site)],
    ['page', page],
    // What opens over a page: menus and hints.
    ['overlays', overlays],
    // What filters and the way to other pages are made of.
    ['inputs', inputs],
    // A site's page has no form before one is opened: what it shares with forms does not bring them all.
    ['notices', site.intersection(tables.union(filters).union(forms))],
    // The schema of a list's address is made of what forms are made of too.
    ['tables', tables.union(sites.intersection(fields))],
    // Shown after the rows.
    ['filters', filters],
    ['forms', forms],
    ['fields', fields],
    ['sites', sites],
  ];
  return (id) => layers.find(([, modules]) => modules.has(id))?.[0] ?? null;
}

/** A module that is run before what it would share a file with. */
const apart = (file: string): Plugin => ({
  name: 'breakwater-apart',
  buildStart() {
    this.emitFile({ type: 'chunk', id: source(file) });
  },
});

/**
 * What modules cannot run without. What shares what is only known after unused code was dropped, so it is read from a first
 * build that writes nothing.
 */
async function knowNeeds(config: InlineConfig): Promise<(...files: string[]) => Set<string>> {
  const result = (await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    plugins: [config.plugins, apart('api/early-reads.ts')],
    build: { ...config.build, write: false },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(
    result.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  );
  const homes = new Map([...chunks.values()].flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk])));
  return (...files) => {
    const seen = new Set<string>();
    const visit = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      chunks.get(name)?.imports.forEach(visit);
    };
    for (const file of files) {
      const home = homes.get(source(file));
      if (!home) throw new Error(`no file of the build holds ${file}`);
      visit(home.fileName);
    }
    return new Set([...seen].flatMap((name) => chunks.get(name)?.moduleIds ?? []));
  };
}
