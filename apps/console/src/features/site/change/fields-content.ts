import type {
  AdvancedConfig,
  CacheRule,
  CacheRuleSection,
  ContentRewrite,
  HeaderRule,
  Language,
  SpeedOptimize,
} from '@breakwater/contract';
import { siteAdvancedText } from '../sections/advanced/advanced.text.ts';
import { siteCacheText } from '../sections/cache/cache.text.ts';
import { siteRewriteText } from '../sections/rewrite/rewrite.text.ts';
import { siteSpeedText } from '../sections/speed/speed.text.ts';
import { group, wordMakers, type ListWords, type WordsOf } from './field.ts';
import { itemNames } from './names.ts';

/** Words of `cache_rule`. */
export function cacheFields(language: Language): WordsOf<CacheRuleSection> {
  const { t, flag, time, values } = wordMakers(language);
  const l = siteCacheText[language];
  return {
    rules: {
      kind: 'list',
      item: t.items.cacheRule,
      ...itemNames(language).cacheRule,
      fields: cacheRuleFields(language),
    },
    cache_header: flag(l.header),
    cache_status_header: flag(l.statusHeader),
    always_online: flag(l.online),
    invalidate_on_change: flag(l.onChange),
    languages: values(l.languages),
    development_until: time(t.developmentUntil),
  };
}

function cacheRuleFields(language: Language): WordsOf<CacheRule> {
  const { t, text, flag, choice, seconds, bytes, values, condition } = wordMakers(language);
  const l = siteCacheText[language];
  return {
    type: choice(l.type, l.types),
    content: values(l.content),
    case_insensitive: flag(l.insensitive),
    condition: condition(),
    action: choice(l.action, l.actions),
    ttl_seconds: seconds(l.ttl),
    ttl_by_status: {
      kind: 'list',
      item: t.items.statusTtl,
      ...itemNames(language).statusTtl,
      fields: {
        statuses: values(l.statuses),
        ttl_seconds: seconds(l.ttl),
      } satisfies WordsOf<CacheRule['ttl_by_status'][number]>,
    },
    query_policy: choice(l.query, l.queries),
    query_names: values(l.names),
    key_headers: values(l.keyHeaders),
    key_cookies: values(l.keyCookies),
    vary_device: flag(l.device),
    no_cache_cookies: values(l.aroundCookies),
    browser_ttl_seconds: seconds(l.browserTtl),
    stale_if_error_seconds: seconds(l.staleError),
    stale_while_revalidate_seconds: seconds(l.staleUpdate),
    ignore_cache_control: flag(l.ignoreControl),
    ignore_set_cookie: flag(l.ignoreCookie),
    match_content_type: flag(l.matchType),
    lock: flag(l.lock),
    // 0 is no size: answers are kept whole.
    slice_bytes: {
      ...bytes(l.slice),
      say: (value, names) => (value === 0 ? l.whole : bytes(l.slice).say(value, names)),
    },
    min_uses: text(l.minUses),
    min_size_bytes: bytes(l.minSize),
    max_size_bytes: bytes(l.maxSize),
    enabled: flag(l.enabled),
  };
}

/** Words of `speed_optimize`: compression and preloading. */
export function speedFields(language: Language): WordsOf<SpeedOptimize> {
  const { t, text, flag, choice, bytes, values } = wordMakers(language);
  const l = siteSpeedText[language];
  return {
    gzip: flag(l.gzip),
    brotli: flag(l.brotli),
    level: choice(l.level, l.levels),
    types: values(l.types),
    min_length_bytes: bytes(l.minLength),
    preload: {
      kind: 'list',
      item: t.items.preload,
      ...itemNames(language).preload,
      fields: {
        path: text(l.path),
        url: text(l.url),
        as: choice(l.as, l.kinds),
      } satisfies WordsOf<SpeedOptimize['preload'][number]>,
    },
  };
}

/** Words of `advanced_config`: error pages, maintenance, logging and the directives for nginx. */
export function advancedFields(language: Language): WordsOf<AdvancedConfig> {
  const { text, flag, seconds, values, time } = wordMakers(language);
  const l = siteAdvancedText[language];
  return {
    error_pages: errorPageWords(language),
    maintenance: group(l.maintenance, {
      enabled: flag(l.maintenanceOn),
      until: time(l.until),
      retry_after_seconds: seconds(l.retryAfter),
      body: text(l.maintenanceBody),
      allowed_ips: values(l.allowedIps),
    } satisfies WordsOf<AdvancedConfig['maintenance']>),
    response_buffering: flag(l.buffering),
    access_log: group(l.log, {
      enabled: flag(l.logOn),
      referer: flag(l.logReferer),
      user_agent: flag(l.logAgent),
      query: flag(l.logQuery),
      ja4: flag(l.logJa4),
      sample_rate: text(l.sampleRate),
    } satisfies WordsOf<AdvancedConfig['access_log']>),
    snippet: text(l.snippet),
  };
}

function errorPageWords(language: Language): ListWords {
  const { t, text, flag, choice, values, condition } = wordMakers(language);
  const l = siteAdvancedText[language];
  /** 0 is no status: the error keeps its own. */
  const status = text(l.newStatus);
  return {
    kind: 'list',
    item: t.items.errorPage,
    ...itemNames(language).errorPage,
    fields: {
      statuses: values(l.statuses),
      source: choice(l.source, l.sources),
      body: text(l.body),
      content_type: choice(l.contentType, l.contentTypes),
      redirect_url: text(l.redirectUrl),
      new_status: {
        ...status,
        say: (value, names) => (value === 0 ? l.keepStatus : status.say(value, names)),
      },
      only_paths: values(l.onlyPaths),
      except_paths: values(l.exceptPaths),
      condition: condition(),
      enabled: flag(l.enabled),
    } satisfies WordsOf<AdvancedConfig['error_pages'][number]>,
  };
}

/** Words of `content_rewrite`: redirects, URL rewrites, header fields and content. */
export function rewriteFields(language: Language): WordsOf<ContentRewrite> {
  const { t, text, flag, bytes, values, condition } = wordMakers(language);
  const l = siteRewriteText[language];
  const names = itemNames(language);
  return {
    redirects: { kind: 'list', item: t.items.redirect, ...names.fromTo, fields: redirectFields(language) },
    url_rewrites: {
      kind: 'list',
      item: t.items.urlRewrite,
      ...names.fromTo,
      fields: urlRewriteFields(language),
    },
    request_headers: {
      kind: 'list',
      item: t.items.requestHeader,
      ...names.header,
      fields: headerFields(language),
    },
    response_headers: {
      kind: 'list',
      item: t.items.responseHeader,
      ...names.header,
      fields: headerFields(language),
    },
    body: group(l.body, {
      condition: condition(),
      replacements: {
        kind: 'list',
        item: t.items.replacement,
        ...names.replacement,
        fields: {
          find: text(l.find),
          replace: text(l.replaceWith),
          enabled: flag(l.enabled),
        } satisfies WordsOf<ContentRewrite['body']['replacements'][number]>,
      },
      content_types: values(l.contentTypes),
      max_bytes: bytes(l.maxBytes),
      head_html: text(l.head),
      body_html: text(l.foot),
    } satisfies WordsOf<ContentRewrite['body']>),
  };
}

function redirectFields(language: Language): WordsOf<ContentRewrite['redirects'][number]> {
  const { text, flag, choice, condition } = wordMakers(language);
  const l = siteRewriteText[language];
  return {
    type: choice(l.type, l.types),
    from: text(l.from),
    to: text(l.to),
    keep_path: flag(l.keepPath),
    keep_query: flag(l.keepQuery),
    status: choice(l.status, l.statuses),
    case_insensitive: flag(l.ignoreCase),
    enabled: flag(l.enabled),
    condition: condition(),
  };
}

function urlRewriteFields(language: Language): WordsOf<ContentRewrite['url_rewrites'][number]> {
  const { text, flag, choice, condition } = wordMakers(language);
  const l = siteRewriteText[language];
  return {
    type: choice(l.type, l.pathTypes),
    from: text(l.from),
    to: text(l.to),
    keep_query: flag(l.keepQuery),
    case_insensitive: flag(l.ignoreCase),
    flow: choice(l.flow, l.flows),
    enabled: flag(l.enabled),
    condition: condition(),
  };
}

function headerFields(language: Language): WordsOf<HeaderRule> {
  const { text, flag, choice, condition } = wordMakers(language);
  const l = siteRewriteText[language];
  return {
    action: choice(l.action, l.actions),
    name: text(l.name),
    pattern: text(l.pattern),
    value: text(l.value),
    enabled: flag(l.enabled),
    condition: condition(),
  };
}
