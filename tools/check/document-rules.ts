import { adminMenu, customerMenu, errors, menuText, type MenuItem } from '@breakwater/contract';
import { environment } from '@breakwater/server/config';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { filesUnder, read, root, type Rule } from './sources.ts';

function documents(): string[] {
  return [...readdirSync(root).filter((name) => name.endsWith('.md')), ...filesUnder('docs', /\.md$/)];
}

const linksResolve: Rule = {
  name: 'every link between documents leads to a file that is there',
  find: () =>
    documents().flatMap((path) =>
      [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link) || link.startsWith('#')) return [];
        const target = join(dirname(path), link.replace(/#.*$/, ''));
        return existsSync(join(root, target)) ? [] : [`${path}: ${link}`];
      }),
    ),
};

/** Paths in backquotes that look like files of ours. */
const pathsExist: Rule = {
  name: 'every path that a document names is there',
  find: () =>
    documents()
      // A decision keeps the words of its day.
      .filter((path) => !path.startsWith('docs/decisions/'))
      .flatMap((path) =>
        [...read(path).matchAll(/`((?:apps|packages|tools|docs|bench|e2e)\/[\w./-]*)`/g)].flatMap(
          ([, named = '']) =>
            existsSync(join(root, named)) || named.includes('/dist') ? [] : [`${path}: ${named}`],
        ),
      ),
};

const configurationTable: Rule = {
  name: "docs/configuration.md says what the server's configuration says",
  find: () => {
    const file = 'docs/configuration.md';
    const rows = [...read(file).matchAll(/^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$/gm)].map(
      ([, name, preset, about]) => ({ name, preset, about }),
    );
    const declared = Object.entries(environment).map(([name, each]) => ({
      name,
      preset: each.default === '' ? '' : `\`${each.default}\``,
      about: each.about,
    }));
    const row = (each: object | undefined) => JSON.stringify(each);
    return [
      ...declared
        .filter((each) => !rows.some((other) => row(other) === row(each)))
        .map((each) => `${file} lacks ${row(each)}`),
      ...rows
        .filter((each) => !declared.some((other) => row(other) === row(each)))
        .map((each) => `${file} has, and the server has not, ${row(each)}`),
    ];
  },
};

const errorTable: Rule = {
  name: 'docs/api.md lists the errors of the contract',
  find: () => {
    const rows = [...read('docs/api.md').matchAll(/^\| \d+ \| \d+ \| .* \|$/gm)].map(([row]) => row);
    const declared = Object.values(errors).map(({ code, status, en }) => `| ${code} | ${status} | ${en} |`);
    return [
      ...declared.filter((row) => !rows.includes(row)).map((row) => `docs/api.md lacks ${row}`),
      ...rows
        .filter((row) => !declared.includes(row))
        .map((row) => `docs/api.md has, and the contract has not, ${row}`),
    ];
  },
};

/** What stands below each title of a menu, in any of them; below a screen, nothing. */
function menuTitles(): Map<string, Set<string>> {
  const { menu, screen } = menuText.en;
  const titles = new Map<string, Set<string>>();
  const titleOf = (item: { titleKey: string } | { screen: keyof typeof screen }) =>
    'screen' in item ? screen[item.screen] : menu[item.titleKey.slice('menu.'.length) as keyof typeof menu];
  const note = (title: string, items: readonly MenuItem[]): void => {
    const below = titles.get(title) ?? new Set();
    titles.set(title, below);
    for (const item of items) {
      below.add(titleOf(item));
      note(titleOf(item), 'children' in item ? item.children : []);
    }
  };
  for (const section of [...adminMenu, ...customerMenu]) note(titleOf(section), section.items);
  return titles;
}

/** From “System → Settings”, each title that does not stand below the one before it. */
function wrongMenuPaths(text: string): string[] {
  const titles = menuTitles();
  const all = [...titles.keys()].toSorted((one, other) => other.length - one.length).join('|');
  const plain = text.replaceAll(/[*_]/g, '').replaceAll(/\s+/g, ' ');
  // Each arrow by itself. Below a screen are parts of it, and one of these may begin like a title: “Sites and domains”.
  const steps = plain.matchAll(new RegExp(`\\b(${all}) → (?=(${all})?(?! and )([^→,;.:()]{0,40}))`, 'g'));
  return [...steps].flatMap(([, from = '', next, rest = '']) => {
    const below = titles.get(from)!;
    const isWrong = next === undefined ? below.size > 0 : !below.has(next);
    return isWrong ? [`${from} → ${next ?? rest}`] : [];
  });
}

const menuPathsLead: Rule = {
  name: 'every menu path that a document names is one of a menu',
  find: () =>
    documents()
      .filter((path) => !path.startsWith('docs/decisions/'))
      .flatMap((path) => wrongMenuPaths(read(path)).map((wrong) => `${path}: ${wrong}`)),
};

/** `npm ci` refuses a lock file that lacks a platform's package, and a registry that lacks it leaves it out. */
const lockComplete: Rule = {
  name: 'package-lock.json names the packages of every platform, so that npm ci installs',
  find: () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter(
          (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
        )
        .map(
          (name) =>
            `${path || 'package.json'} may need ${name}: take a version of it that exists for every platform`,
        ),
    );
  },
};

/** In a row a bare file name stands beside the file or folder named before it. */
const rowsLead: Rule = {
  name: 'every file that a row of docs/architecture.md names is there',
  find: () => {
    const path = 'docs/architecture.md';
    if (!existsSync(join(root, path))) return [];
    return read(path)
      .split('\n')
      .flatMap((line, index) => {
        if (!line.startsWith('|')) return [];
        let folder = '';
        return [...line.matchAll(/`([\w./-]+)`/g)].flatMap(([, name = '']) => {
          const isWhole = /^(?:apps|packages|tools|docs|bench|e2e)\//.test(name);
          if (!isWhole && !/\.(?:tsx?|mjs)$/.test(name)) return [];
          const file = isWhole ? name : join(folder, name);
          if (isWhole) folder = name.endsWith('/') ? name : dirname(name);
          return existsSync(join(root, file)) ? [] : [`${path}:${index + 1}: ${file}`];
        });
      });
  },
};

/** A file that stands by its name alone is one of these. */
const testFolders = ['packages/policy/vectors', 'packages/edge/test'];
const testFile = (name: string): string =>
  testFolders.map((folder) => join(folder, name)).find((path) => existsSync(join(root, path))) ?? name;

/** Behind a file, or a letter that the document says stands for some, the titles of tests; `…` in one is anything. */
const testsExist: Rule = {
  name: 'every test that docs/caching.md names is in the file that it names it with, and every MUST and SHOULD has one',
  find: () => {
    const path = 'docs/caching.md';
    if (!existsSync(join(root, path))) return [];
    const text = read(path);
    const letters = new Map<string, string[]>();
    for (const [, letter = '', names = ''] of text.matchAll(/\*\*([A-Z])\*\*\s+((?:`[^`]+`(?: and )?)+)/g))
      letters.set(
        letter,
        [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => testFile(name)),
      );
    const named = text.matchAll(/(?:\b([A-Z])|`([\w./-]+\.(?:test\.ts|json))`)\s((?:"[^"]+"(?:,\s)?)+)/g);
    const missing = [...named].flatMap(([, letter = '', name = '', titles = '']) => {
      const files = letters.get(letter) ?? (name === '' ? [] : [testFile(name)]);
      const texts = files.filter((file) => existsSync(join(root, file))).map(read);
      return [...titles.matchAll(/"([^"]+)"/g)].flatMap(([, title = '']) => {
        const parts = title.split('…').map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        const pattern = new RegExp(parts.join('.*'));
        return texts.some((each) => pattern.test(each)) ? [] : [`${path}: ${letter}${name} "${title}"`];
      });
    });
    const [, required = ''] = text.split('## Every MUST');
    const bare = required
      .split('\n')
      .filter((line) => /^\| (?!section|---)/.test(line) && !/"[^"]+"[^|]*\|$/.test(line))
      .filter((line) => !line.includes('not followed'));
    return [...missing, ...bare.map((line) => `${path}: no test by its title: ${line}`)];
  },
};

/** Generates into a copy: when the schema has changed since the last migration, a new one appears there. */
const migrationsFresh: Rule = {
  name: 'the migrations lead to the schema',
  find: async () => {
    const server = join(root, 'apps/server');
    const copy = mkdtempSync(join(tmpdir(), 'breakwater-migrations-'));
    try {
      cpSync(join(server, 'src/db/migrations'), copy, { recursive: true });
      const args = [
        join(root, 'node_modules/drizzle-kit/bin.cjs'),
        'generate',
        '--dialect',
        'postgresql',
        '--casing',
        'snake_case',
      ];
      // It puts `./` before a path that is whole, finds nothing there, and ends as if all were well.
      const paths = ['--schema', './src/db/schema.ts', '--out', relative(server, copy)];
      const { stdout } = await promisify(execFile)(process.execPath, [...args, ...paths], { cwd: server });
      if (stdout.includes('No schema changes')) return [];
      if (!stdout.includes('Your SQL migration file')) return [stdout];
      const fresh =
        readdirSync(copy)
          .filter((name) => name.endsWith('.sql'))
          .sort()
          .at(-1) ?? '';
      return [`run \`npm run db:generate\`; it would write:\n${readFileSync(join(copy, fresh), 'utf8')}`];
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  },
};

export const documentRules: Rule[] = [
  linksResolve,
  pathsExist,
  rowsLead,
  configurationTable,
  errorTable,
  menuPathsLead,
  testsExist,
  lockComplete,
  migrationsFresh,
];
