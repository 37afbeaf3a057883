import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import * as tstl from 'typescript-to-lua';

const edgeRoot = dirname(fileURLToPath(import.meta.url));
const policyRoot = join(edgeRoot, '../policy/src');
const require = createRequire(import.meta.url);

/** Compiles the nginx phases; answers with the path of the Lua bundle. Nothing is done when no source has changed. */
export function buildEdge(): Promise<string> {
  return buildBundle(join(edgeRoot, 'src/main.ts'), join(edgeRoot, 'dist/edge.lua'));
}

/** One Lua file out of an entry and all it imports; the sources' hash is its first line. */
export async function buildBundle(entry: string, output: string): Promise<string> {
  const mark = `-- sources ${await hashSources(entry)}\n`;
  if (existsSync(output) && (await readFile(output, 'utf8')).startsWith(mark)) return output;
  const lua = compile(entry, output);
  await mkdir(dirname(output), { recursive: true });
  const aside = `${output}.${process.pid}`;
  await writeFile(aside, mark + lua);
  await rename(aside, output);
  return output;
}

async function hashSources(entry: string): Promise<string> {
  const hash = createHash('sha256').update(String(tstl.version)).update(ts.version);
  const files = [fileURLToPath(import.meta.url), entry];
  for (const folder of [join(edgeRoot, 'src'), policyRoot, join(edgeRoot, '../contract/src')])
    for (const name of await readdir(folder, { recursive: true }))
      if (name.endsWith('.ts')) files.push(join(folder, name));
  for (const file of files.sort()) hash.update(file.slice(edgeRoot.length)).update(await readFile(file));
  return hash.digest('hex');
}

function compile(entry: string, output: string): string {
  const configFile = join(edgeRoot, 'src/tsconfig.json');
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(configFile, ts.sys.readFile).config,
    ts.sys,
    dirname(configFile),
  );
  const program = ts.createProgram([entry, ...config.fileNames.filter((name) => name.endsWith('.d.ts'))], {
    ...(config.options as tstl.CompilerOptions),
    noEmit: false,
    // With either of these the translator takes a type import for a module to load.
    verbatimModuleSyntax: false,
    isolatedModules: false,
    rewriteRelativeImportExtensions: true,
    // The output folder is named, else the compiler takes the common folder of all sources.
    outDir: dirname(output),
    rootDir: join(edgeRoot, '..'),
    luaTarget: tstl.LuaTarget.LuaJIT,
    luaLibImport: tstl.LuaLibImportKind.RequireMinimal,
    luaBundle: 'bundle.lua',
    luaBundleEntry: entry,
    noImplicitSelf: true,
    noHeader: true,
    noResolvePaths: ['ffi', 'ngx.balancer', 'ngx.ocsp', 'ngx.ssl', 'ngx.ssl.clienthello', 'resty.core.base'],
  } as unknown as ts.CompilerOptions);
  const emitted = new Map<string, string>();
  // Of the contract only types are used: its sources are neither translated nor checked here.
  const isOurs = (file: ts.SourceFile) => !file.isDeclarationFile && !file.fileName.includes('/contract/');
  const sourceFiles = program.getSourceFiles().filter(isOurs);
  const { diagnostics } = new tstl.Transpiler().emit({
    program,
    sourceFiles,
    plugins: [{ moduleResolution: resolvePolicy }],
    writeFile: (name, text) => emitted.set(name, text),
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics].filter(
    (each) => each.category === ts.DiagnosticCategory.Error && (each.file === undefined || isOurs(each.file)),
  );
  if (problems.length > 0) {
    const host = {
      getCurrentDirectory: () => edgeRoot,
      getCanonicalFileName: (name: string) => name,
      getNewLine: () => '\n',
    };
    throw new Error(`The edge does not compile:\n${ts.formatDiagnostics(problems, host)}`);
  }
  const lua = [...emitted.values()][0];
  if (lua === undefined) throw new Error('The edge compiled to nothing.');
  return lua;
}

/** `@breakwater/policy/x` → the source file, which the bundler then finds among those it translated. */
function resolvePolicy(moduleIdentifier: string): string | undefined {
  if (!moduleIdentifier.startsWith('@breakwater/policy/')) return undefined;
  return require.resolve(moduleIdentifier);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await buildEdge());
