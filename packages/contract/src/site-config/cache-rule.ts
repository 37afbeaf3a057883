import * as z from 'zod';

export const cacheRuleType = z.enum(['suffix', 'folder', 'full_path', 'regex', 'all']);
export const queryPolicy = z.enum(['all', 'none', 'include', 'exclude']);

/** One cache rule; the first that matches a request decides. What `content` holds follows from `type`. */
export const cacheRule = z
  .strictObject({
    type: cacheRuleType,
    /** suffix: `jpg`; folder: `/static/`; full_path: `/index.html`; regex: a pattern on the path; all: empty. */
    content: z.array(z.string().min(1).max(500)).max(100).default([]),
    action: z.enum(['cache', 'bypass', 'follow_origin']).default('cache'),
    ttl_seconds: z.int().min(0).max(31_536_000).default(0),
    query_policy: queryPolicy.default('all'),
    /** Argument names for `include` and `exclude`. */
    query_names: z.array(z.string().min(1).max(100)).max(50).default([]),
    enabled: z.boolean().default(true),
  })
  .check((context) => {
    const rule = context.value;
    if (rule.type === 'all' ? rule.content.length > 0 : rule.content.length === 0)
      context.issues.push({
        code: 'custom',
        path: ['content'],
        message: 'cache_rule_content',
        input: rule.content,
      });
    rule.content.forEach((item, index) => {
      if ((rule.type === 'folder' || rule.type === 'full_path') && !item.startsWith('/'))
        context.issues.push({
          code: 'custom',
          path: ['content', index],
          message: 'path_absolute',
          input: item,
        });
      if (rule.type === 'suffix' && !/^[A-Za-z0-9_-]{1,20}$/.test(item))
        context.issues.push({
          code: 'custom',
          path: ['content', index],
          message: 'suffix_plain',
          input: item,
        });
      if (rule.type === 'regex' && !compiles(item))
        context.issues.push({
          code: 'custom',
          path: ['content', index],
          message: 'regex_invalid',
          input: item,
        });
    });
    const needsNames = rule.query_policy === 'include' || rule.query_policy === 'exclude';
    if (needsNames && rule.query_names.length === 0)
      context.issues.push({
        code: 'custom',
        path: ['query_names'],
        message: 'required',
        input: rule.query_names,
      });
  });
export type CacheRule = z.infer<typeof cacheRule>;

export const cacheRuleSection = z.strictObject({ rules: z.array(cacheRule).max(100) });

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
