import type {
  AccessRule,
  BasicAuthUser,
  BodyReplacement,
  CacheRule,
  ErrorPage,
  HeaderRule,
  Language,
  MatcherRule,
  Origin,
  RedirectRule,
  SpeedOptimize,
  SystemRuleException,
  UrlRewriteRule,
  UsedSystemRule,
} from '@breakwater/contract';
import { sayAccessRule, sayMatcherRule } from '../../../domain/say-rule.ts';
import { siteAdvancedText } from '../sections/advanced/advanced.text.ts';
import { siteCacheText } from '../sections/cache/cache.text.ts';
import { siteSystemRulesText } from '../sections/system-rules/system-rules.text.ts';
import { detectorText } from '../../../domain/detector.text.ts';
import { siteRewriteText } from '../sections/rewrite/rewrite.text.ts';
import { wordMakers, type Names, type WordMakers } from './field.ts';

/** What items of lists are known by, and what is said of one that comes or goes. What they are made of may be incomplete. */
export function itemNames(language: Language) {
  const makers = wordMakers(language);
  const { several, sayDuration, t } = makers;
  const cache = siteCacheText[language];
  const advanced = siteAdvancedText[language];
  // Rules have no ids: one is known by what it is for, as the forms show it folded.
  const cacheName = ({ type = 'all', content = [] }: Partial<CacheRule>) =>
    [cache.types[type], content.length > 0 ? several(content) : ''].filter(Boolean).join(' ');
  const pageName = ({ statuses = [] }: Partial<ErrorPage>) => several(statuses);
  return {
    ...accessNames(language, makers),
    ...rewriteNames(language, makers),
    matcherRule: matcherName(language),
    ...systemRuleNames(language),
    cacheRule: {
      name: cacheName,
      summary: ({ action = 'cache', ttl_seconds: ttl = 0, ...rule }: Partial<CacheRule>) =>
        `${cacheName(rule)} → ${cache.actions[action]}${action === 'cache' ? ` ${sayDuration(ttl)}` : ''}`,
    },
    statusTtl: {
      name: ({ statuses = [] }: { statuses?: number[] }) => several(statuses.map(String)),
      summary: ({ statuses = [], ttl_seconds: ttl = 0 }: { statuses?: number[]; ttl_seconds?: number }) =>
        `${several(statuses.map(String))} → ${sayDuration(ttl)}`,
    },
    origin: {
      name: ({ address = '' }: Partial<Origin>) => address,
      summary: ({ address = '' }: Partial<Origin>) => address,
    },
    errorPage: {
      name: pageName,
      summary: ({ source = 'body', ...page }: Partial<ErrorPage>) =>
        `${pageName(page)} → ${advanced.sources[source]}`,
    },
    preload: {
      name: ({ url = '' }: Partial<SpeedOptimize['preload'][number]>) => url,
      summary: ({ path = '', url = '' }: Partial<SpeedOptimize['preload'][number]>) =>
        path === '' ? url : `${path}${t.list}${url}`,
    },
  };
}

function accessNames(language: Language, { several, t }: WordMakers) {
  const what = (rule: Partial<AccessRule>, names: Names) =>
    sayAccessRule(rule, language, { listName: names.list, several });
  return {
    accessRule: {
      name: (rule: Partial<AccessRule>, names: Names) => rule.note || what(rule, names),
      summary: (rule: Partial<AccessRule>, names: Names) =>
        rule.note ? `“${rule.note}”${t.list}${what(rule, names)}` : what(rule, names),
    },
    user: {
      name: ({ name = '' }: Partial<BasicAuthUser>) => name,
      summary: ({ name = '' }: Partial<BasicAuthUser>) => name,
    },
  };
}

function matcherName(language: Language) {
  const what = ({ action = 'block', condition }: Partial<MatcherRule>, names: Names) =>
    sayMatcherRule({ action, condition }, language, { listName: names.list });
  return {
    name: (rule: Partial<MatcherRule>, names: Names) => rule.note || what(rule, names),
    summary: (rule: Partial<MatcherRule>, names: Names) =>
      rule.note ? `“${rule.note}” ${what(rule, names)}` : what(rule, names),
  };
}

function systemRuleNames(language: Language) {
  const { detectors } = detectorText[language];
  const { types, everything } = siteSystemRulesText[language];
  const what = ({ path, parameter, detector }: Partial<SystemRuleException>) =>
    [detector && detectors[detector], path, parameter].filter(Boolean).join(' ') || everything;
  const field = ({ parameter = '' }: Partial<UsedSystemRule['fields'][number]>) => parameter;
  return {
    exception: {
      name: (exception: Partial<SystemRuleException>) => exception.note || what(exception),
      summary: (exception: Partial<SystemRuleException>) =>
        exception.note ? `“${exception.note}” ${what(exception)}` : what(exception),
    },
    fieldType: {
      name: field,
      summary: (each: Partial<UsedSystemRule['fields'][number]>) =>
        each.type === undefined ? field(each) : `${field(each)} → ${types[each.type]}`,
    },
  };
}

function rewriteNames(language: Language, { t }: WordMakers) {
  const { actions } = siteRewriteText[language];
  const fromTo = ({ from = '', to = '' }: Partial<RedirectRule | UrlRewriteRule>) => `${from} → ${to}`;
  return {
    fromTo: {
      name: ({ from = '' }: Partial<RedirectRule | UrlRewriteRule>) => from,
      summary: fromTo,
    },
    header: {
      name: ({ action = 'set', name = '' }: Partial<HeaderRule>) => `${actions[action]} ${name}`,
      summary: ({ action = 'set', name = '', value = '' }: Partial<HeaderRule>) =>
        [actions[action], name + (value === '' ? '' : ':'), value].filter(Boolean).join(' '),
    },
    replacement: {
      name: ({ find = '' }: Partial<BodyReplacement>) => find,
      summary: ({ find = '', replace = '' }: Partial<BodyReplacement>) =>
        `${find} → ${replace === '' ? t.empty : replace}`,
    },
  };
}
