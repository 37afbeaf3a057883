import { accessRule, cacheRule, matcherRule, siteSnapshot, type SiteSnapshot } from '@breakwater/contract';
import { diffJson } from '@breakwater/contract/json-diff';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { configWords } from './fields.ts';
import type { Words } from './field.ts';
import { sayChanges } from './words.ts';

const names = {
  list: (id: number) => `list ${id}`,
  certificate: (id: number) => `certificate ${id}`,
  captcha: (id: number) => `captcha ${id}`,
};
const languages = ['zh', 'en'] as const;

/** The schema inside of defaults and options. */
function inner(schema: z.core.$ZodType): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return inner(def.innerType);
  return def.type === 'pipe' ? inner(def.out) : (schema as z.core.$ZodTypes);
}

/** Everything in a schema that has no words: fields, and choices. */
function wordless(schema: z.core.$ZodType, words: Words | undefined, path: string): string[] {
  if (words === undefined) return [path];
  const { def } = inner(schema)._zod;
  if (words.kind === 'list') {
    if (def.type !== 'array') return [`${path} is no list`];
    return wordless(def.element, { kind: 'group', label: words.item, fields: words.fields }, `${path}[]`);
  }
  if (words.kind === 'group') {
    if (def.type !== 'object') return [`${path} is no group`];
    return Object.entries(def.shape).flatMap(([name, field]) =>
      name.endsWith('_set') ? [] : wordless(field, words.fields[name], `${path}.${name}`),
    );
  }
  const choices = def.type === 'enum' ? Object.values(def.entries) : def.type === 'literal' ? def.values : [];
  const unsaid = choices.filter((choice) => !words.say(choice, names));
  return [...(words.label === '' ? [path] : []), ...unsaid.map((choice) => `${path}=${String(choice)}`)];
}

describe.each(languages)('in %s', (language) => {
  test('every field of a configuration has words', () => {
    const schema = siteSnapshot.omit({ own: true });
    expect(wordless(schema, configWords(language), '')).toEqual([]);
  });

  test('choices are said as their form does, never as they are sent', () => {
    const { fields } = configWords(language);
    const raw = (words: Words, schema: z.core.$ZodType): string[] => {
      const { def } = inner(schema)._zod;
      if (words.kind === 'list' && def.type === 'array')
        return raw({ ...words, kind: 'group', label: '' }, def.element);
      if (words.kind === 'group' && def.type === 'object')
        return Object.entries(words.fields).flatMap(([name, field]) => raw(field, def.shape[name]!));
      const options = def.type === 'enum' ? Object.values(def.entries).map(String) : [];
      return words.kind === 'field'
        ? options.filter((option) => option.includes('_') && words.say(option, names) === option)
        : [];
    };
    expect(
      Object.entries(fields).flatMap(([name, words]) => raw(words, siteSnapshot.shape[name as 'domains'])),
    ).toEqual([]);
  });
});

test('a schema that gains a field without words is found', () => {
  const longer = siteSnapshot.omit({ own: true }).extend({ novelty: z.string() });
  expect(wordless(longer, configWords('en'), '')).toEqual(['.novelty']);
});

const base = siteSnapshot.parse({
  domains: ['a.example.com'],
  status: 'online',
  origin_server_config: { origins: [{ address: '192.0.2.1' }] },
});
const said = (before: SiteSnapshot, after: SiteSnapshot, language: 'zh' | 'en' = 'en') =>
  sayChanges(diffJson(before, after), language, names).flatMap(({ heading, lines }) =>
    lines.map((line) => (heading === '' ? line : `${heading} | ${line}`)),
  );
const withRules = (...rules: object[]): SiteSnapshot => ({
  ...base,
  access_control: { ...base.access_control, rules: rules.map((rule) => accessRule.parse(rule)) },
});
const withCache = (...rules: object[]): SiteSnapshot => ({
  ...base,
  cache_rule: { ...base.cache_rule, rules: rules.map((rule) => cacheRule.parse(rule)) },
});

describe('rules', () => {
  const admin = { action: 'deny', only_paths: ['/admin/'] };
  const office = { action: 'allow', note: 'Office', addresses: ['192.0.2.0/24'] };

  test('that come and go are told by what they do', () => {
    expect(said(base, withRules(admin))).toEqual(['Access control | Access rule added: Block /admin/']);
    expect(said(base, withRules(admin), 'zh')).toEqual(['访问控制 | 新增访问规则：拒绝 /admin/']);
    expect(said(withRules(admin, office), withRules(admin))).toEqual([
      'Access control | Access rule removed: “Office”, Allow 192.0.2.0/24',
    ]);
  });

  test('without a name that are alike are told apart by their places', () => {
    const alike = [admin, office, { ...admin, addresses: [] }];
    const changed = withRules(admin, office, { ...admin, enabled: false });
    expect(said(withRules(...alike), changed)).toEqual([
      'Access control | Access rule “Block /admin/” (3rd): Enabled On → Off',
    ]);
    expect(said(withRules(...alike), changed, 'zh')).toEqual([
      '访问控制 | 访问规则“拒绝 /admin/”（第 3 项）：启用 开启 → 关闭',
    ]);
    expect(said(base, withRules(admin, admin))).toEqual([
      'Access control | Access rule added: Block /admin/ (1st)',
      'Access control | Access rule added: Block /admin/ (2nd)',
    ]);
    expect(said(withRules(...alike), withRules(office))).toEqual([
      'Access control | Access rule removed: Block /admin/ (1st)',
      'Access control | Access rule removed: Block /admin/ (3rd)',
    ]);
  });

  test('are themselves wherever they stand', () => {
    expect(said(withRules(admin, office), withRules(office))).toEqual([
      'Access control | Access rule removed: Block /admin/',
    ]);
    expect(said(withRules(admin, office), withRules(office, admin))).toHaveLength(1);
    expect(said(withRules(admin, office), withRules(office, admin))[0]).toMatch(
      /moved from position \d to \d/,
    );
  });

  test('that change say which field, in its words', () => {
    const images = { type: 'suffix', content: ['jpg', 'png'], ttl_seconds: 3600 };
    const [before, after] = [
      withCache({ type: 'all' }, images),
      withCache({ type: 'all' }, { ...images, ttl_seconds: 86_400 }),
    ];
    expect(said(before, after)).toEqual([
      'Cache rules | Cache rule “File extension jpg, png”: TTL 1 h → 1 d',
    ]);
    expect(said(before, after, 'zh')).toEqual([
      '缓存规则 | 缓存规则“文件后缀 jpg、png”：缓存时间 1 小时 → 1 天',
    ]);
  });

  test('one edited and one added beside it in the same save are told apart', () => {
    const [before, after] = [
      withCache({ type: 'folder', content: ['/a/'], ttl_seconds: 60 }),
      withCache({ type: 'folder', content: ['/a/'], ttl_seconds: 120 }, { type: 'all', action: 'bypass' }),
    ];
    expect(said(before, after)).toEqual([
      'Cache rules | Cache rule “Folder /a/”: TTL 1 min → 2 min',
      'Cache rules | Cache rule added: All requests → Do not cache',
    ]);
  });

  test('values of a list are one sentence', () => {
    const more = withRules({ ...office, addresses: ['198.51.100.1', '198.51.100.2', '192.0.2.0/24'] });
    expect(said(withRules(office), more)).toEqual([
      'Access control | Access rule “Office” · IP addresses: added 198.51.100.1, 198.51.100.2',
    ]);
  });

  test('a condition is said whole, and lists and countries by their names', () => {
    const condition = { match: 'all', items: [{ field: 'path', operator: 'starts_with', values: ['/x'] }] };
    const [line] = said(withRules(office), withRules({ ...office, condition }));
    expect(line).toMatch(/^Access control \| Access rule “Office”: Condition All requests → .*\/x/);
    expect(said(base, withRules({ action: 'deny', countries: ['DE'], address_lists: [7] }))).toEqual([
      'Access control | Access rule added: Block list 7 Germany',
    ]);
  });
});

test('a custom rule is told as its list tells it, in words', () => {
  const condition = {
    match: 'all',
    items: [
      { field: 'path', operator: 'starts_with', values: ['/admin/'] },
      { field: 'country', operator: 'equals', values: ['US'], negated: true },
      { field: 'address_list', operator: 'in', values: ['7'] },
      { match: 'any', items: [{ field: 'verified_robot', operator: 'exists', negated: true }] },
    ],
  };
  const rule = matcherRule.parse({ action: 'ban', condition });
  const after = { ...base, matcher_rule: { rules: [rule] } };
  expect(said(base, after)).toEqual([
    'Custom rules | Custom rule added: Path starts with /admin/ and Country or region is not United States and Address list is in list 7 and (is not a verified bot) → Block the IP',
  ]);
  expect(said(base, after, 'zh')).toEqual([
    '自定义规则 | 新增自定义规则：路径以 /admin/ 开头，且国家或地区不为美国，且地址列表属于 list 7，且（不是已验证的爬虫） → 封禁 IP',
  ]);
  const [leaf] = rule.condition!.items;
  const eitherCase = { ...rule, condition: { ...rule.condition!, items: [{ ...leaf!, ignore_case: true }] } };
  const exactCase = { ...rule, condition: { ...rule.condition!, items: [leaf!] } };
  const [change] = said({ ...base, matcher_rule: { rules: [exactCase] } }, {
    ...base,
    matcher_rule: { rules: [eitherCase] },
  } as SiteSnapshot);
  expect(change).toMatch(/Path starts with \/admin\/ → Path starts with \/admin\/ \(any letter case\)$/);
});

test('settings have the labels and the values of their forms', () => {
  const after = structuredClone(base);
  after.status = 'suspended';
  after.domains = ['a.example.com', 'b.example.com'];
  after.origin_server_config.method = 'ip_hash';
  after.cache_rule.always_online = true;
  after.security.bandwidth = 1_048_576;
  after.certificate_settings.hsts.max_age_seconds = 86_400;
  after.certificate_settings.certificate_ids = [4];
  expect(said(base, after)).toEqual([
    'Domains: added b.example.com',
    'Status: Online → Suspended',
    'Origin | Load balancing: Round robin → IP hash (same origin per client)',
    'Cache rules | Always online: Off → On',
    'HTTPS | Certificates in use: added certificate 4',
    'HTTPS | HSTS: Max age 365 d → 1 d',
    'Limits | Bandwidth limits · Whole site: Inherited → 1 MB/s',
  ]);
});

test('a secret is never said', () => {
  const after = structuredClone(base);
  after.access_control.signing.secret = '••••••';
  expect(said(base, after)).toEqual(['Access control | Signed URLs · Key: set (hidden)']);
});

test('what is new is told by what it sets; what no schema knows is told all the same', () => {
  const { own: _, ...first } = withCache({ type: 'all', ttl_seconds: 60 });
  const lines = sayChanges(diffJson({}, first), 'en', names).flatMap((each) => each.lines);
  expect(lines).toContain('Domains: a.example.com');
  expect(lines).toContain('Cache rule added: All requests → Cache 1 min');
  expect(lines).toContain('Origin added: 192.0.2.1');
  expect(lines.length, lines.join('\n')).toBeLessThan(6);
  expect(sayChanges([{ path: 'gone.field', before: 1, after: 2 }], 'en', names)[0]?.lines).toEqual([
    'gone.field: 1 → 2',
  ]);
});
