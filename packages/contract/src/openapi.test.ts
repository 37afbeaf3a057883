import { Validator } from '@seriousme/openapi-schema-validator';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { routes } from './index.ts';
import { openApiPage } from './openapi-page.ts';
import { openApiDocument } from './openapi.ts';

test.each(['en', 'zh'] as const)('the document in %s is valid OpenAPI 3.1', async (language) => {
  const result = await new Validator().validate(openApiDocument(language));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test('every reference leads somewhere in the document', () => {
  const document = openApiDocument();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  );
  expect(references.length).toBeGreaterThan(0);
  for (const reference of references) {
    const target = reference
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
    expect(target, reference).toBeTypeOf('object');
  }
});

test('every route is described once, with its parameters and its guard', () => {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Record<string, unknown>>> };
  const described = Object.values(paths).flatMap((path) =>
    Object.values(path).map((operation) => String(operation['operationId'])),
  );
  expect(described.sort()).toEqual(Object.keys(routes).sort());
  expect(paths['/prod-api/area/{id}']?.['get']).toMatchObject({
    security: [{ session: [] }],
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
  });
  expect(paths['/node-api/state']?.['post']).toMatchObject({ security: [{ node: [] }] });
});

test('what the document says to people is Chinese in the Chinese one, and nothing else differs', () => {
  const [en, zh] = [openApiDocument('en'), openApiDocument('zh')];
  const said: string[] = [];
  const withoutSentences = (document: unknown) =>
    JSON.parse(JSON.stringify(document), (key, value: unknown) => {
      if ((key !== 'summary' && key !== 'description') || typeof value !== 'string') return value;
      if (document === zh) said.push(value);
      return undefined;
    }) as unknown;
  expect(withoutSentences(zh)).toEqual(withoutSentences(en));
  expect(said.length).toBeGreaterThan(Object.keys(routes).length * 2);
  expect(said.filter((sentence) => !/\p{Script=Han}/u.test(sentence))).toEqual([]);
});

test('the page needs nothing from elsewhere, and its script is sound', () => {
  const page = openApiPage();
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  const script = /<script>([^]*)<\/script>/.exec(page)?.[1] ?? '';
  expect(() => runInNewContext(`(() => {${script}})`)).not.toThrow();
});
