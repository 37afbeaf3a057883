// `npm run new-entity -- mail-account [mail-accounts] [中文名] [--owner client] [--secret] [--operation]`: the skeleton of one
// entity, from contract to screen.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formFile, listFile, textFile } from './new-entity/console-template.ts';
import { contractFile } from './new-entity/contract-template.ts';
import { namesOf, type Form, type Names } from './new-entity/names.ts';
import { crudTestRow, jobFile, routesFile, tableFile, testFile } from './new-entity/server-template.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * A line that goes into a file, at the end of the list that starts with `after`: before the next line that matches `end`. Or
 * a word, into a list of words, where `end` matches.
 */
interface Registration {
  file: string;
  after: RegExp;
  end: RegExp;
  line?: string;
  word?: string;
}

function newFiles(names: Names, form: Form, label: string): Record<string, string> {
  const { kebab } = names;
  const module = `apps/server/src/modules/${kebab}/${kebab}`;
  const feature = `apps/console/src/features/${kebab}/${kebab}`;
  return {
    [`packages/contract/src/${kebab}.ts`]: contractFile(names, form),
    [`${module}.routes.ts`]: routesFile(names, form),
    [`${module}.table.ts`]: tableFile(names, form),
    ...(form.operation
      ? { [`${module}.job.ts`]: jobFile(names), [`${module}.test.ts`]: testFile(names) }
      : {}),
    [`${feature}-form.tsx`]: formFile(names, form),
    [`${feature}-list.tsx`]: listFile(names, form),
    [`${feature}.text.ts`]: textFile(names, form, label),
  };
}

function contractRegistrations({ kebab, snake, camel, camels }: Names, { owner }: Form): Registration[] {
  const index = 'packages/contract/src/index.ts';
  const screen = `{ path: '/dashboard/${snake}/${snake}', titleKey: 'screen.${camels}', access: { kind: '${owner === 'client' ? 'both' : 'admin'}', permission: '${snake}.read' } }`;
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
    ...menuRegistrations(camels, owner),
  ];
}

/** Customers' entities stand beside those that they have, others with what is the system's. */
function menuRegistrations(camels: string, owner: Form['owner']): Registration[] {
  const file = 'packages/contract/src/menus.ts';
  const line = `      { screen: '${camels}', icon: 'setting' },`;
  if (owner === 'platform') return [{ file, after: /titleKey: 'menu\.system'/, end: /^ {4}\],/, line }];
  return [
    /^export const adminMenu[^]*?screen: 'certificates'/m,
    /^export const customerMenu[^]*?screen: 'certificates'/m,
  ].map((after) => ({ file, after, end: /^/, line }));
}

/** A permission to read it, which all shipped groups hold, and one to change it. */
function permissionRegistrations({ snake, titles }: Names, { owner }: Form, label: string): Registration[] {
  const file = 'packages/contract/src/permissions.text.ts';
  const end = /^ {2}\}/;
  const [read, write] = [`'${snake}.read'`, `'${snake}.write'`];
  const holders = owner === 'client' ? 'both' : 'admin';
  return [
    {
      file: 'packages/contract/src/permissions.ts',
      after: /^export const permissions/,
      end: /^}/,
      line: `  ${read}: { holders: '${holders}', shipped: readers },\n  ${write}: { holders: '${holders}', shipped: operators },`,
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

/** What events call it, and its tasks. */
function wordRegistrations(names: Names, { operation }: Form, label: string): Registration[] {
  const { snake, title, words } = names;
  const contract = 'packages/contract/src';
  const inText = (file: string, path: string, zh: string, en: string): Registration[] => [
    { file, after: new RegExp(`^(const | {2})zh[^]*?${path}: \\{`, 'm'), end: /^ +\}/, line: zh },
    { file, after: new RegExp(`^(const | {2})en[^]*?${path}: \\{`, 'm'), end: /^ +\}/, line: en },
  ];
  const events: Registration[] = [
    { file: `${contract}/event.ts`, after: /^export const eventSubjects/, end: /^\]/, line: `  '${snake}',` },
    {
      file: `${contract}/activity.ts`,
      after: /^export const activityPermissions/,
      end: /^\}/,
      line: `  ${snake}: '${snake}.read',`,
    },
    ...inText(
      `${contract}/event.text.ts`,
      'subjects',
      `    ${snake}: '${label}',`,
      `    ${snake}: '${title}',`,
    ),
  ];
  if (!operation) return events;
  const type = `      ${snake}_check`;
  return [
    ...events,
    {
      file: `${contract}/task.ts`,
      after: /^$/,
      end: /(?<=^export const jobTaskTypes = \[)/,
      word: `'${snake}_check', `,
    },
    ...inText(
      'apps/console/src/features/task/task.text.ts',
      'types',
      `${type}: '检查${label}',`,
      `${type}: 'Check ${words}',`,
    ),
  ];
}

/** What the API description says of its calls in Chinese. */
function summaryRegistration({ pascal, pascals }: Names, { operation }: Form, label: string): Registration {
  return {
    file: 'packages/contract/src/summaries/system.text.ts',
    after: /^export const systemSummaries/,
    end: /^\}/,
    line: [
      `  list${pascals}: '按名称查询${label}。',`,
      `  create${pascal}: '创建${label}。',`,
      `  get${pascal}: '获取${label}。',`,
      `  update${pascal}: '修改${label}。',`,
      `  remove${pascal}: '删除${label}。',`,
      ...(operation ? [`  check${pascal}: '检查${label}，作为任务执行。',`] : []),
    ].join('\n'),
  };
}

function codeRegistrations(names: Names, form: Form): Registration[] {
  const { kebab, camel, camels, pascal } = names;
  const jobs = 'apps/server/src/modules/jobs.ts';
  const modules = 'apps/server/src/modules/index.ts';
  const component = `lazyScreen(() => import('../../features/${kebab}/${kebab}-list.tsx'), '${pascal}List')`;
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
      file: `apps/console/src/shell/screens/${form.owner === 'client' ? 'shared' : 'operator'}.ts`,
      after: /^export const \w+Screens/,
      end: /^}/,
      line: `  ${camels}: ${component},`,
    },
    {
      file: 'apps/server/src/crud.test.ts',
      after: /^const entities: Entity/,
      end: /^\];/,
      line: crudTestRow(names, form),
    },
    ...(form.operation
      ? [
          {
            file: jobs,
            after: /^import /,
            end: /^$/,
            line: `import { ${camel}CheckJob } from './${kebab}/${kebab}.job.ts';`,
          },
          { file: jobs, after: /^$/, end: /(?<=^ {2}jobs: \[)/, word: `${camel}CheckJob, ` },
        ]
      : []),
  ];
}

/** Throws when the place is not found: then the file has changed its shape, and this tool has to learn it. */
function register({ file, after, end, line, word }: Registration): void {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const start = new RegExp(after.source, 'm').exec(text);
  const from = start ? text.indexOf('\n', start.index + start[0].length) + 1 : 0;
  const stop = start && new RegExp(end.source, 'm').exec(text.slice(from));
  const added = word ?? `${line}\n`;
  if (!stop) throw new Error(`${file} has no place for: ${added.trim()}`);
  const at = from + stop.index;
  writeFileSync(path, text.slice(0, at) + added + text.slice(at));
}

function run(program: string, ...args: string[]): void {
  execFileSync(process.execPath, [join(root, program), ...args], {
    cwd: join(root, 'apps/server'),
    stdio: 'inherit',
  });
}

const usage = `Usage: npm run new-entity -- NAME [PLURAL] [CHINESE NAME] [OPTIONS], such as: mail-account mail-accounts 邮箱账号
  --owner client   customers have their own, the platform has its own
  --secret         a field that is sealed and never shown
  --operation      work that outlasts a request, begun by a call`;

function main(args: string[]): void {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      owner: { type: 'string', default: 'platform' },
      secret: { type: 'boolean', default: false },
      operation: { type: 'boolean', default: false },
    },
  });
  const [singular, plural, chinese] = positionals;
  const { owner, secret, operation } = values;
  if (!singular || (owner !== 'platform' && owner !== 'client')) throw new Error(usage);
  const names = namesOf(singular, plural);
  const label = chinese ?? names.title;
  const form: Form = { owner, secret, operation };
  const files = newFiles(names, form, label);
  const there = Object.keys(files).find((file) => existsSync(join(root, file)));
  if (there) throw new Error(`${there} exists already.`);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    console.log(`  + ${file}`);
  }
  const registrations = [
    ...contractRegistrations(names, form),
    ...permissionRegistrations(names, form, label),
    ...titleRegistrations(names, label),
    ...wordRegistrations(names, form, label),
    summaryRegistration(names, form, label),
    ...codeRegistrations(names, form),
  ];
  for (const registration of registrations) {
    register(registration);
    console.log(`  ~ ${registration.file}: ${(registration.line ?? registration.word ?? '').trim()}`);
  }
  run('node_modules/drizzle-kit/bin.cjs', 'generate', '--name', `add_${names.snake}`);
  run('tools/openapi.ts');
  const changed = [...Object.keys(files), ...registrations.map(({ file }) => file)];
  run(
    'node_modules/oxfmt/bin/oxfmt',
    '-c',
    join(root, '.oxfmtrc.json'),
    ...new Set(changed.map((file) => join(root, file))),
  );
  console.log(`\nNext: its own fields in contract, table (then npm run db:generate) and screens${
    operation ? '; what its job does' : ''
  }; a menu place and an icon
of its own in packages/contract/src/menus.ts; an e2e test. npm run check says what is missing.`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
