import type { ConditionGroup, ConditionLeaf } from './condition.ts';
import type { Language } from './issues.text.ts';
import { matcherRule, type MatcherRule } from './site-config/matcher-rule.ts';
import { wafTemplateText } from './waf-templates.text.ts';

/** What templates of rules are for: software that is common, and anything else. */
export const wafClasses = ['wordpress', 'discuz', 'phpmyadmin', 'api', 'spa', 'custom'] as const;
export type WafClass = (typeof wafClasses)[number];
export type ShippedWafClass = Exclude<WafClass, 'custom'>;

type RuleName = keyof (typeof wafTemplateText)['en']['rules'];
interface ShippedRule {
  name: RuleName;
  condition: ConditionGroup;
  action?: MatcherRule['action'];
  limit?: Partial<MatcherRule['limit']>;
}

const leaf = (
  field: ConditionLeaf['field'],
  operator: ConditionLeaf['operator'],
  ...values: string[]
): ConditionLeaf => ({ field, operator, values, negated: false, ignore_case: false });
const all = (...items: ConditionGroup['items']): ConditionGroup => ({ match: 'all', negated: false, items });
const any = (...items: ConditionGroup['items']): ConditionGroup => ({ match: 'any', negated: false, items });
const not = (test: ConditionLeaf): ConditionLeaf => ({ ...test, negated: true });
const isPost = leaf('method', 'equals', 'POST');

const login = { requests: 10, period_seconds: 60, burst: 5 };

/** Rules that hardly any site of the kind goes without; they only observe until somebody has looked at what they would do. */
const shipped: Record<ShippedWafClass, ShippedRule[]> = {
  wordpress: [
    { name: 'xmlrpc', condition: all(leaf('path', 'ends_with', '/xmlrpc.php')) },
    {
      name: 'login',
      action: 'limit',
      limit: login,
      condition: all(isPost, leaf('path', 'ends_with', '/wp-login.php')),
    },
    { name: 'uploads', condition: all(leaf('path', 'wildcard', '*/wp-content/uploads/*.php*')) },
    {
      name: 'secrets',
      condition: any(
        leaf('path', 'wildcard', '*/wp-config.*'),
        leaf('path', 'ends_with', '/readme.html', '/license.txt', '/wp-admin/install.php', '/debug.log'),
      ),
    },
    {
      name: 'users',
      condition: any(
        leaf('path', 'starts_with', '/wp-json/wp/v2/users'),
        all({ ...leaf('argument', 'regex', '^[0-9]+$'), name: 'author' }, leaf('path', 'equals', '/')),
      ),
    },
  ],
  discuz: [
    {
      name: 'scripts',
      condition: all(
        leaf('path', 'wildcard', '/data/*.php*', '/source/*.php*', '/uc_client/*.php*', '/template/*.php*'),
      ),
    },
    {
      name: 'admin',
      action: 'limit',
      limit: login,
      condition: all(isPost, leaf('path', 'equals', '/admin.php', '/uc_server/admin.php')),
    },
    { name: 'setup', condition: all(leaf('path', 'starts_with', '/install/', '/utility/')) },
  ],
  phpmyadmin: [
    {
      name: 'setup',
      condition: all({
        ...leaf('path', 'wildcard', '*/phpmyadmin/setup/*', '*/pma/setup/*'),
        ignore_case: true,
      }),
    },
    {
      name: 'login',
      action: 'limit',
      limit: login,
      condition: all(isPost, { ...leaf('path', 'wildcard', '*/phpmyadmin/*', '*/pma/*'), ignore_case: true }),
    },
    {
      name: 'scripts',
      condition: all({
        ...leaf(
          'path',
          'wildcard',
          '*/phpmyadmin/libraries/*',
          '*/phpmyadmin/vendor/*',
          '*/phpmyadmin/sql/*',
        ),
        ignore_case: true,
      }),
    },
  ],
  api: [
    { name: 'agent', condition: all(leaf('user_agent', 'is_empty')) },
    {
      name: 'content',
      condition: all(
        leaf('method', 'equals', 'POST', 'PUT', 'PATCH'),
        leaf('content_length', 'greater_than', '0'),
        not({
          ...leaf(
            'content_type',
            'starts_with',
            'application/json',
            'application/x-www-form-urlencoded',
            'multipart/form-data',
          ),
          ignore_case: true,
        }),
      ),
    },
    {
      name: 'rate',
      action: 'limit',
      limit: { requests: 600, period_seconds: 60, burst: 100 },
      condition: all(leaf('path', 'starts_with', '/api/')),
    },
  ],
  spa: [
    { name: 'methods', condition: all(not(leaf('method', 'equals', 'GET', 'HEAD', 'OPTIONS'))) },
    {
      name: 'dotfiles',
      condition: all(leaf('path', 'wildcard', '*/.*'), not(leaf('path', 'starts_with', '/.well-known/'))),
    },
    { name: 'maps', condition: all(leaf('extension', 'equals', 'map')) },
  ],
};

export const shippedWafClasses = Object.keys(shipped) as ShippedWafClass[];

/** The rules of a shipped template, with their names in a language. */
export function shippedWafRules(kind: ShippedWafClass, language: Language): MatcherRule[] {
  const names = wafTemplateText[language].rules;
  return shipped[kind].map(({ name, condition, action = 'block', limit = {} }) =>
    matcherRule.parse({ note: names[name], condition, action, limit, mode: 'observe' }),
  );
}
