import { describe, expect, it } from 'vitest';
import { contentCondition } from '../condition.ts';
import { accessControl } from './access-control.ts';
import { blockReferer } from './block-referer.ts';
import { cacheRule } from './cache-rule.ts';

/** Whoever thinks of a file's extension writes a dot before it. */

describe('an extension with its dot', () => {
  const rule = { action: 'cache', ttl_seconds: 60 };
  it('is one of a cache rule, and a lone dot is none', () => {
    const parsed = cacheRule.parse({ ...rule, type: 'suffix', content: ['.css', '*.JS', ' jpg '] });
    expect(parsed.content).toEqual(['css', 'JS', 'jpg']);
    for (const content of ['.', '..css', 'a.css'])
      expect(cacheRule.safeParse({ ...rule, type: 'suffix', content: [content] }).error?.issues).toEqual([
        expect.objectContaining({ path: ['content', 0], message: 'suffix_plain' }),
      ]);
  });
  it('stays in what is no extension', () => {
    const content = ['/.well-known/'];
    expect(cacheRule.parse({ ...rule, type: 'folder', content }).content).toEqual(content);
    const pattern = ['.css$'];
    expect(cacheRule.parse({ ...rule, type: 'regex', content: pattern }).content).toEqual(pattern);
  });
  it('names any path with it where paths are listed', () => {
    const { only_paths, except_paths } = blockReferer.parse({ only_paths: ['.css'], except_paths: ['/a/'] });
    expect([only_paths, except_paths]).toEqual([['*.css'], ['/a/']]);
    const { rules } = accessControl.parse({ rules: [{ action: 'deny', only_paths: ['.php'] }] });
    expect(rules[0]!.only_paths).toEqual(['*.php']);
  });
  it('is compared without it in a condition, but for patterns', () => {
    const valuesOf = (operator: string, values: string[], field = 'extension') => {
      const parsed = contentCondition.parse({ items: [{ field, operator, values }] });
      return (parsed.items[0] as { values: string[] }).values;
    };
    expect(valuesOf('equals', ['.css', 'js'])).toEqual(['css', 'js']);
    expect(valuesOf('regex', ['.css'])).toEqual(['.css']);
    expect(valuesOf('equals', ['.css'], 'path')).toEqual(['.css']);
    expect(valuesOf('equals', ['.PHP'], 'file_extension')).toEqual(['PHP']);
  });
});
