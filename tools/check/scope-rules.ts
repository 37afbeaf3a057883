import { rolesOf, routes, type RouteSpec } from '@breakwater/contract';
import ts from 'typescript';
import { filesUnder, isTest, parse, place, visit, type Rule } from './sources.ts';

const serverFiles = () => filesUnder('apps/server/src', /\.ts$/).filter((path) => !isTest(path));

/** A scope is asked (`owned`, `owns`, `seesAll`); the log stores put its ids into questions of their own kind. */
const maySeeInside = (path: string) =>
  path === 'apps/server/src/scope.ts' ||
  path.startsWith('apps/server/src/logs/') ||
  path.endsWith('/statistics/live.routes.ts');

const closedScopes: Rule = {
  name: 'no module looks inside a scope',
  find: () =>
    serverFiles()
      .filter((path) => !maySeeInside(path))
      .flatMap((path) => {
        const file = parse(path);
        const found: string[] = [];
        visit(file, (node) => {
          if (ts.isPropertyAccessExpression(node) && /(^|\.)scope\.(clients|sites)$/.test(node.getText()))
            found.push(`${place(file, node)}: ${node.getText()}`);
        });
        return found;
      }),
};

const specs: Record<string, RouteSpec> = routes;
const isForCustomers = (name: string) => {
  const access = specs[name]?.access;
  return access !== undefined && access.kind !== 'public' && rolesOf(access).includes('user');
};

/** Handlers of calls that customers may make: what they ask of the database goes by the caller's scope or session. */
const scopedHandlers: Rule = {
  name: 'a handler of what customers may call hands on their scope',
  find: () =>
    serverFiles()
      .filter((path) => path.endsWith('.routes.ts'))
      .flatMap((path) => {
        const file = parse(path);
        const found: string[] = [];
        visit(file, (node) => {
          if (!ts.isPropertyAssignment(node) || !isForCustomers(node.name.getText())) return;
          const { initializer: handler } = node;
          if (!ts.isArrowFunction(handler)) return;
          const [context] = handler.parameters;
          // Handed on whole, or asked for nothing that is stored.
          if (context === undefined || ts.isIdentifier(context.name)) return;
          if (!ts.isObjectBindingPattern(context.name)) return;
          const taken = context.name.elements.map((element) => element.name.getText());
          if (taken.includes('services') && !taken.includes('scope') && !taken.includes('session'))
            found.push(`${place(file, node)}: ${node.name.getText()}`);
        });
        return found;
      }),
};

export const scopeRules: Rule[] = [closedScopes, scopedHandlers];
