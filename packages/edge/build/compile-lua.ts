import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import * as tstl from 'typescript-to-lua';

const require = createRequire(import.meta.url);

/** One Lua file out of an entry and all it imports, as text. Fails with what the compiler says. */
export function compileLua(entry: string, output: string): string {
  const configFile = join(import.meta.dirname, '../lua/tsconfig.json');
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
    rootDir: join(import.meta.dirname, '../..'),
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
      getCurrentDirectory: () => import.meta.dirname,
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
