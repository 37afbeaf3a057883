import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The repository; the tests of the rules name another folder. */
export const root = process.env.CHECK_ROOT ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** A repository rule: a sentence that holds, and how to find what breaks it (one line each, with file and place). */
export interface Rule {
  name: string;
  find(): string[] | Promise<string[]>;
}

const skipped = new Set(['node_modules', 'dist', '.git', 'data', 'migrations']);

/** Paths from the root of all files under a folder, or of the file itself, sorted. */
export function filesUnder(folder: string, pattern: RegExp): string[] {
  if (!existsSync(join(root, folder))) return [];
  const found = readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesUnder(path, pattern);
    return pattern.test(path) ? [path] : [];
  });
  return found.sort();
}

/** Tests, and what only they use. */
export const isTest = (path: string): boolean =>
  /\.test\.tsx?$|\/test(?:-fuzz)?\/|\/test-[\w-]+\.ts$/.test(path);

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** All TypeScript of the project. */
export function sourceFiles(): string[] {
  return ['apps', 'packages', 'e2e', 'bench', 'tools'].flatMap((folder) => filesUnder(folder, /\.tsx?$/));
}

const parsed = new Map<string, ts.SourceFile>();
export function parse(path: string): ts.SourceFile {
  const known = parsed.get(path);
  if (known) return known;
  const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  parsed.set(path, file);
  return file;
}

export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}

export function place(file: ts.SourceFile, node: ts.Node): string {
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
}

export interface Import {
  where: string;
  /** A path from the root for relative imports, else the package with what follows it. */
  target: string;
  typeOnly: boolean;
}

/** Static and dynamic imports and re-exports of a file. */
export function importsOf(path: string): Import[] {
  const file = parse(path);
  const found: Import[] = [];
  const add = (node: ts.Node, specifier: ts.Expression | undefined, typeOnly: boolean) => {
    if (!specifier || !ts.isStringLiteral(specifier)) return;
    const { text } = specifier;
    const target = text.startsWith('.') ? relative(root, resolve(root, dirname(path), text)) : text;
    found.push({ where: place(file, node), target, typeOnly });
  };
  visit(file, (node) => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypeOnly(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node, node.arguments[0], false);
  });
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  if (clause.name || !bindings || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}
