// `npm run new-entity -- dns-account [dns-accounts] [中文名]`: the skeleton of one entity, from contract to screen.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formFile, listFile, textFile } from './new-entity/console-template.ts';
import { contractFile } from './new-entity/contract-template.ts';
import { namesOf, type Names } from './new-entity/names.ts';
import { routesFile, storeFile, tableFile, testFile } from './new-entity/server-template.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** A line that goes into a file, at the end of the list that starts with `after`: before the next line that matches `end`. */
interface Registration {
  file: string;
  after: RegExp;
  end: RegExp;
  line: string;
}

function newFiles(names: Names, label: string): Record<string, string> {
  const { kebab } = names;
  return {
    [`packages/contract/src/${kebab}.ts`]: contractFile(names),
    [`apps/server/src/modules/${kebab}/${kebab}.routes.ts`]: routesFile(names),
    [`apps/server/src/modules/${kebab}/${kebab}.store.ts`]: storeFile(names),
    [`apps/server/src/modules/${kebab}/${kebab}.table.ts`]: tableFile(names),
    [`apps/server/src/modules/${kebab}/${kebab}.test.ts`]: testFile(names),
    [`apps/console/src/features/${kebab}/${kebab}-form.tsx`]: formFile(names),
    [`apps/console/src/features/${kebab}/${kebab}-list.tsx`]: listFile(names),
    [`apps/console/src/features/${kebab}/${kebab}.text.ts`]: textFile(names, label),
  };
}

function contractRegistrations({ kebab, snake, camel, camels }: Names): Registration[] {
  const index = 'packages/contract/src/index.ts';
  const screen = `{ path: '/dashboard/${snake}/${snake}', titleKey: 'screen.${camels}', access: { kind: 'admin', permission: '${snake}.read' } }`;
  return [
    {
      file: index,
      after: /^import /,
      end: /^$/,
      line: `import { ${camel}Routes } from './${kebab}.ts';`,
    },
    { file: index, after: /^export const routes/, end: /^};/, line: `  ...${camel}Routes,` },
    { file: index, after: /^export \* from/, end: /^(?!export \*)/, line: `export * from './${kebab}.ts';` },
    {
      file: 'packages/contract/src/screens.ts',
      after: /^export const screens/,
      end: /^}/,
      line: `  ${camels}: ${screen},`,
    },
    {
      file: 'packages/contract/src/menus.ts',
      after: /titleKey: 'menu\.system'/,
      end: /^ {4}\],/,
      line: `      { screen: '${camels}', icon: 'setting' },`,
    },
  ];
}

/** A permission to read it, which all shipped groups hold, and one to change it. */
function permissionRegistrations({ snake, titles }: Names, label: string): Registration[] {
  const file = 'packages/contract/src/permissions.text.ts';
  const end = /^ {2}\}/;
  const [read, write] = [`'${snake}.read'`, `'${snake}.write'`];
  return [
    {
      file: 'packages/contract/src/permissions.ts',
      after: /^export const permissions/,
      end: /^}/,
      line: `  ${read}: { holders: 'admin', shipped: readers },\n  ${write}: { holders: 'admin', shipped: operators },`,
    },
    {
      file,
      after: /^const zh: PermissionText [^]*?^ {2}subjects: \{/m,
      end,
      line: `    ${snake}: '${label}',`,
    },
    {
      file,
      after: /^const zh: PermissionText [^]*?^ {2}permissions: \{/m,
      end,
      line: `    ${read}: '查看',\n    ${write}: '添加、修改和删除',`,
    },
    {
      file,
      after: /^const en: PermissionText [^]*?^ {2}subjects: \{/m,
      end,
      line: `    ${snake}: '${titles}',`,
    },
    {
      file,
      after: /^const en: PermissionText [^]*?^ {2}permissions: \{/m,
      end,
      line: `    ${read}: 'View',\n    ${write}: 'Add, edit and delete',`,
    },
  ];
}

function titleRegistrations({ camels, titles }: Names, label: string): Registration[] {
  const file = 'packages/contract/src/menu.text.ts';
  const end = /^ {2}\}/;
  return [
    { file, after: /^const zh [^]*?^ {2}screen: \{/m, end, line: `    ${camels}: '${label}',` },
    { file, after: /^const en: [^]*?^ {2}screen: \{/m, end, line: `    ${camels}: '${titles}',` },
  ];
}

function codeRegistrations({ kebab, camel, camels, pascal }: Names): Registration[] {
  const modules = 'apps/server/src/modules/index.ts';
  const component = `lazyScreen(() => import('../features/${kebab}/${kebab}-list.tsx'), '${pascal}List')`;
  return [
    {
      file: modules,
      after: /^import /,
      end: /^$/,
      line: `import { ${camel}Module } from './${kebab}/${kebab}.routes.ts';`,
    },
    {
      file: 'apps/server/src/db/schema.ts',
      after: /^export \* from/,
      end: /^(?!export \*)/,
      line: `export * from '../modules/${kebab}/${kebab}.table.ts';`,
    },
    { file: modules, after: /^export const modules/, end: /^\];/, line: `  ${camel}Module,` },
    {
      file: 'apps/console/src/shell/screens.ts',
      after: /^export const screenComponents/,
      end: /^}/,
      line: `  ${camels}: ${component},`,
    },
  ];
}

/** Throws when the place is not found: then the file has changed its shape, and this tool has to learn it. */
function register({ file, after, end, line }: Registration): void {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const start = new RegExp(after.source, 'm').exec(text);
  const from = start ? text.indexOf('\n', start.index + start[0].length) + 1 : 0;
  const stop = start && new RegExp(end.source, 'm').exec(text.slice(from));
  if (!stop) throw new Error(`${file} has no place for: ${line.trim()}`);
  const at = from + stop.index;
  writeFileSync(path, `${text.slice(0, at)}${line}\n${text.slice(at)}`);
}

function run(program: string, ...args: string[]): void {
  execFileSync(process.execPath, [join(root, program), ...args], {
    cwd: join(root, 'apps/server'),
    stdio: 'inherit',
  });
}

function main([singular, plural, label]: string[]): void {
  if (!singular)
    throw new Error(
      'Usage: npm run new-entity -- NAME [PLURAL] [CHINESE NAME], such as: dns-account dns-accounts DNS账号',
    );
  const names = namesOf(singular, plural);
  const files = newFiles(names, label ?? names.title);
  const there = Object.keys(files).find((file) => existsSync(join(root, file)));
  if (there) throw new Error(`${there} exists already.`);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    console.log(`  + ${file}`);
  }
  const registrations = [
    ...contractRegistrations(names),
    ...permissionRegistrations(names, label ?? names.title),
    ...titleRegistrations(names, label ?? names.title),
    ...codeRegistrations(names),
  ];
  for (const registration of registrations) {
    register(registration);
    console.log(`  ~ ${registration.file}: ${registration.line.trim()}`);
  }
  run('node_modules/drizzle-kit/bin.cjs', 'generate', '--name', `add_${names.snake}`);
  run('tools/openapi.ts');
  run(
    'node_modules/oxfmt/bin/oxfmt',
    '-c',
    join(root, '.oxfmtrc.json'),
    ...Object.keys(files).map((file) => join(root, file)),
  );
  console.log(`\nNext: its own fields in contract, table (then npm run db:generate), store and screens; a menu place and an icon
of its own in packages/contract/src/menus.ts; an e2e test. npm run check says what is missing.`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
