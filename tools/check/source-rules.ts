import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { filesUnder, isTest, parse, place, read, root, sourceFiles, visit, type Rule } from './sources.ts';

const linesMax = 400;

const fileSize: Rule = {
  name: `no source file is longer than ${linesMax} lines`,
  find: () =>
    ['apps', 'packages', 'e2e', 'bench', 'tools']
      .flatMap((folder) => filesUnder(folder, /\.(tsx?|mjs)$/))
      .map((path) => ({ path, lines: read(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > linesMax)
      .map(({ path, lines }) => `${path} has ${lines} lines`),
};

/** Besides text files: the pages that visitors of a site see, and in the contract what stands under `zh`. */
const visitorPages = 'packages/edge/lua/pages/pages.ts';
const chineseAllowed = (path: string) =>
  path.endsWith('.text.ts') || path === visitorPages || isTest(path) || /^(e2e|tools|bench)\//.test(path);
const isContractText = (node: ts.Node) =>
  node.getSourceFile().fileName.startsWith('packages/contract/') &&
  ts.isPropertyAssignment(node.parent) &&
  node.parent.name.getText() === 'zh';

const chineseInTexts: Rule = {
  name: 'Chinese stands only in *.text.ts, under `zh` in the contract, and in the pages of the edge',
  find: () =>
    sourceFiles()
      .filter((path) => !chineseAllowed(path))
      .flatMap((path) => {
        const file = parse(path);
        const found: string[] = [];
        visit(file, (node) => {
          const isText =
            ts.isStringLiteralLike(node) ||
            ts.isJsxText(node) ||
            ts.isTemplateHead(node) ||
            ts.isTemplateMiddleOrTemplateTail(node);
          if (isText && /\p{Script=Han}/u.test(node.text) && !isContractText(node))
            found.push(`${place(file, node)}: “${node.text.trim()}”`);
        });
        return found;
      }),
};

/** Beside 已生效 and 待生效: 下发 is what is done (重新下发) and where its state stands (下发状态), never a state. */
const otherStates = /(?:已|正在|尚未|未|等待|待)下发|下发中|已交付|节点已应用/;

const oneWordForLive: Rule = {
  name: 'what is live on nodes is 已生效, and in no other words',
  find: () =>
    sourceFiles()
      .filter((path) => !path.startsWith('tools/check/'))
      .flatMap((path) =>
        read(path)
          .split('\n')
          .flatMap((line, index) => (otherStates.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
      ),
};

/** A comment that silences a tool has to say why, after two dashes. */
const silenced = /(@ts-(?:ignore|nocheck|expect-error)|(?:eslint|oxlint)-disable)(?!.*-- \S)/;

const nothingSilenced: Rule = {
  name: 'no comment silences the compiler or the linter without a reason',
  find: () =>
    sourceFiles()
      .filter((path) => !path.startsWith('tools/check/'))
      .flatMap((path) =>
        read(path)
          .split('\n')
          .flatMap((line, index) => (silenced.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
      ),
};

const noAny: Rule = {
  name: 'nothing is of type any',
  find: () =>
    sourceFiles().flatMap((path) => {
      const file = parse(path);
      const found: string[] = [];
      visit(file, (node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(place(file, node));
      });
      return found;
    }),
};

const noLeftovers: Rule = {
  name: 'no TODO, FIXME or test that is switched off',
  find: () =>
    sourceFiles()
      .filter((path) => !path.startsWith('tools/check/'))
      .flatMap((path) =>
        read(path)
          .split('\n')
          .flatMap((line, index) =>
            /\b(TODO|FIXME|XXX)\b|\b(?:test|it|describe)\.(only|skip|todo)\(/.test(line)
              ? [`${path}:${index + 1}: ${line.trim()}`]
              : [],
          ),
      ),
};

const featuresHaveTexts: Rule = {
  name: 'every feature folder has its text file',
  find: () => {
    const folder = join(root, 'apps/console/src/features');
    return readdirSync(folder).flatMap((name) =>
      existsSync(join(folder, name, `${name}.text.ts`))
        ? []
        : [`apps/console/src/features/${name}/${name}.text.ts is missing`],
    );
  },
};

export const sourceRules: Rule[] = [
  fileSize,
  chineseInTexts,
  oneWordForLive,
  nothingSilenced,
  noAny,
  noLeftovers,
  featuresHaveTexts,
];
