import { importsOf, isTest, sourceFiles, type Import, type Rule } from './sources.ts';

/** Layers of one side, lowest first: a file imports from its own layer and those below. */
const packageLayers: Record<string, readonly string[]> = {
  'packages/contract': [],
  'packages/policy': ['contract'],
  'packages/edge': ['contract', 'policy'],
  'packages/test-world': ['contract', 'policy', 'edge', 'agent', 'server'],
  'apps/agent': ['contract', 'policy', 'edge'],
  'apps/server': ['contract', 'policy', 'edge', 'agent'],
  'apps/console': ['contract', 'policy'],
};

/** `api`, `i18n` and `theme` are one ground floor; `kit-page` shows the kit to developers. */
const consoleLayers = ['kit', 'domain', 'frame', 'features', 'shell', 'kit-page'];
const consoleFolder = /^apps\/console\/src\/([^/]+)\/(?:([^/]+)\/)?/;

function breaches(folder: string, rule: (path: string, each: Import) => string | undefined): string[] {
  return sourceFiles()
    .filter((path) => path.startsWith(folder))
    .flatMap((path) =>
      importsOf(path).flatMap((each) => {
        const wrong = rule(path, each);
        return wrong ? [`${each.where} imports ${each.target}: ${wrong}`] : [];
      }),
    );
}

const packagesOneWay: Rule = {
  name: 'packages import one way: contract ← policy ← edge, agent, server; contract ← console',
  find: () =>
    Object.entries(packageLayers).flatMap(([folder, allowed]) =>
      breaches(`${folder}/`, (path, { target }) => {
        const own = folder.split('/')[1];
        const other = /^@breakwater\/([^/]+)/.exec(target)?.[1];
        // Tests boot the real parts on both sides.
        if (other && isTest(path)) return undefined;
        if (other && other !== own && !allowed.includes(other))
          return `${own} may import ${allowed.join(', ') || 'no package of ours'}`;
        if (!other && /^(apps|packages)\//.test(target) && !target.startsWith(`${folder}/`))
          return 'another package is imported by its name';
        return undefined;
      }),
    ),
};

const contractOnZod: Rule = {
  name: 'the contract imports zod and nothing else',
  find: () =>
    breaches('packages/contract/src/', (path, { target }) =>
      isTest(path) || target.startsWith('packages/contract/') || target === 'zod'
        ? undefined
        : 'the contract runs anywhere',
    ),
};

const policyPure: Rule = {
  name: 'policy imports nothing at run time',
  find: () =>
    breaches('packages/policy/src/', (path, { target, typeOnly }) =>
      isTest(path) || typeOnly || target.startsWith('packages/policy/')
        ? undefined
        : 'the same source becomes Lua, where it does not exist',
    ),
};

const consoleOneWay: Rule = {
  name: `the console imports one way: api, i18n, theme ← ${consoleLayers.join(' ← ')}; a feature never imports another`,
  find: () =>
    breaches('apps/console/src/', (path, { target, typeOnly }) => {
      const [, layer = '', feature] = consoleFolder.exec(path) ?? [];
      const [, otherLayer = '', otherFeature] = consoleFolder.exec(target) ?? [];
      if (layer === '' || otherLayer === '' || typeOnly) return undefined;
      if (consoleLayers.indexOf(otherLayer) > consoleLayers.indexOf(layer))
        return `${layer} stands below ${otherLayer}`;
      if (layer === 'features' && otherLayer === 'features' && feature !== otherFeature)
        return 'what two features share belongs into kit, domain or frame';
      return undefined;
    }),
};

const kitNeverFetches: Rule = {
  name: 'kit and domain never fetch',
  find: () =>
    ['kit', 'domain'].flatMap((layer) =>
      breaches(`apps/console/src/${layer}/`, (_, { target, typeOnly }) =>
        typeOnly || !/console\/src\/api\/(query|change|client)\.ts$/.test(target)
          ? undefined
          : 'data comes in as properties',
      ),
    ),
};

/** Tables of all modules are one layer, below the modules: a foreign key is no dependency of code. */
const isTable = (path: string): boolean => path.endsWith('.table.ts');
const schema = 'apps/server/src/db/schema.ts';

const tablesThroughSchema: Rule = {
  name: 'tables import tables and columns; everything else reads them from db/schema.ts',
  find: () =>
    breaches('apps/server/src/', (path, { target, typeOnly }) => {
      if (isTable(path))
        return typeOnly ||
          isTable(target) ||
          target.startsWith('drizzle-orm') ||
          target.endsWith('/columns.ts')
          ? undefined
          : 'a table stands below all else';
      return isTable(target) && path !== schema ? 'tables come from db/schema.ts' : undefined;
    }),
};

const modulesThroughStores: Rule = {
  name: 'a server module reaches another only through its store or service',
  find: () =>
    breaches('apps/server/src/modules/', (path, { target, typeOnly }) => {
      const own = path.split('/')[4];
      const [, other, file = ''] = /^apps\/server\/src\/modules\/([^/]+)\/(.+)$/.exec(target) ?? [];
      const index = /^apps\/server\/src\/modules\/(?:index|jobs)\.ts$/.test(path);
      if (!other || other === own || typeOnly || index || isTest(path) || isTable(path)) return undefined;
      return /\.(store|service)\.ts$/.test(file)
        ? undefined
        : `only ${other}.store.ts or ${other}.service.ts is open to others`;
    }),
};

const moduleOf = (path: string): string | undefined =>
  /^apps\/server\/src\/modules\/([^/]+)\//.exec(path)?.[1];

/** Types count too: who needs another's types cannot be read, or changed, without it. */
const modulesOneWay: Rule = {
  name: 'server modules import one way: no circle leads back to where it began',
  find: () => {
    const imports = new Map<string, Map<string, string>>();
    for (const path of sourceFiles()) {
      const own = moduleOf(path);
      if (own === undefined || isTest(path) || isTable(path)) continue;
      const others = imports.get(own) ?? new Map<string, string>();
      imports.set(own, others);
      for (const { target, where } of importsOf(path)) {
        const other = moduleOf(target);
        if (other !== undefined && other !== own && !others.has(other)) others.set(other, where);
      }
    }
    return circles(imports);
  },
};

/** Each circle once, with the import that leads from each module to the next. */
function circles(imports: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name);
    if (start >= 0) {
      const circle = [...path.slice(start), name];
      const places = circle.slice(1).map((next, index) => imports.get(circle[index]!)!.get(next)!);
      found.push(`${circle.join(' → ')} (${places.join(', ')})`);
    }
    if (start >= 0 || done.has(name)) return;
    for (const next of imports.get(name)?.keys() ?? []) follow(next, [...path, name]);
    done.add(name);
  };
  for (const name of imports.keys()) follow(name, []);
  return found;
}

export const importRules: Rule[] = [
  packagesOneWay,
  contractOnZod,
  policyPure,
  consoleOneWay,
  kitNeverFetches,
  modulesThroughStores,
  modulesOneWay,
  tablesThroughSchema,
];
