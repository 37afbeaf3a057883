import {
  systemRuleGroups,
  type DocumentKind,
  type EffectiveSite,
  type LevelDocument,
  type PostureAdvice,
  type PostureState,
  type SiteDocument,
  type SitePosture,
  type SiteSecurity,
} from '@breakwater/contract';
import { systemRuleModeOf } from '@breakwater/policy/detect/settings';
import { levelKeysOf } from '@breakwater/policy/site/level-keys';
import { mergeSite } from '@breakwater/policy/site/levels';
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { siteReject } from '../../db/schema.ts';
import { readStoredDocuments } from '../../delivery/documents.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { getSite } from '../site/site.store.ts';

/** What protects a site now: by the documents that its nodes are told, merged as they merge them. */
export async function postureOf(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  scope: Scope,
  id: number,
  now: Date,
): Promise<SitePosture | null> {
  const site = await getSite(db, scope, id);
  const read = (kind: DocumentKind, keys: string[]) =>
    readStoredDocuments(db, site.line_group_id, kind, keys, secrets.decrypt);
  const [stored] = await read('site', [String(id)]);
  if (!stored) return null;
  const own = stored.body as SiteDocument;
  const keys = levelKeysOf(own);
  const found = keys.length > 0 ? await read('level', keys) : [];
  // The nearest first, as the keys are.
  const levels = keys.flatMap((key) => found.filter((each) => each.key === key).map(({ body }) => body));
  const effective = mergeSite(own, levels as LevelDocument[]);
  return describe(effective, await standingBans(db, id, site.client_id, now), now);
}

/** Those of the whole platform are the operators'. */
const standingBans = (db: Db, siteId: number, clientId: number, now: Date): Promise<number> =>
  db.$count(
    siteReject,
    and(
      isNull(siteReject.releasedAt),
      gt(siteReject.expiresAt, now),
      or(
        eq(siteReject.siteId, siteId),
        and(eq(siteReject.scope, 'client'), eq(siteReject.clientId, clientId)),
      ),
    ),
  );

function describe(site: EffectiveSite, bans: number, now: Date): SitePosture {
  const posture = {
    https: httpsOf(site),
    access_control: accessOf(site),
    block_referer: { state: onIf(site.block_referer?.enabled === true) },
    security: limitsOf(site.security),
    matcher_rule: matchersOf(site, now),
    cc_guardian_rule: guardOf(site, now),
    browser_verify_rule: {
      state: onIf(site.browser_verify_rule?.enabled === true),
      kind: site.browser_verify_rule?.kind ?? ('javascript' as const),
    },
    used_system_rule: systemRulesOf(site),
    bans,
  };
  return { ...posture, advice: adviceFor(posture, site) };
}

const onIf = (isOn: boolean): PostureState => (isOn ? 'on' : 'off');

function httpsOf({ certificate_settings: settings }: EffectiveSite): SitePosture['https'] {
  const redirect = settings.force_https?.enabled === true;
  const hasCertificate = (settings.certificate_ids ?? []).length > 0;
  return {
    state: hasCertificate ? (redirect ? 'on' : 'partial') : 'off',
    redirect,
    hsts: settings.hsts?.enabled === true,
  };
}

function accessOf({ access_control: own, access_levels: levels = [] }: EffectiveSite) {
  const rules = [own?.rules ?? [], ...levels.map((level) => level.rules)].flat();
  return { state: onIf(rules.length > 0 || own?.otherwise === 'deny'), rules: rules.length };
}

function limitsOf(security: SiteSecurity | undefined): SitePosture['security'] {
  if (security === undefined) return { state: 'off', limits: 0 };
  const {
    rate,
    rate_per_address: perAddress,
    connections,
    connections_per_address: connectionsPerAddress,
    body_bytes_max: body,
    header_lines_max: lines,
    header_line_bytes_max: line,
    header_bytes_max: header,
    url_bytes_max: url,
  } = security;
  const limits = [
    rate?.requests,
    perAddress?.requests,
    connections,
    connectionsPerAddress,
    body,
    lines,
    line,
    header,
    url,
  ].filter((limit) => limit !== undefined).length;
  return { state: onIf(limits > 0), limits };
}

function matchersOf(site: EffectiveSite, now: Date): SitePosture['matcher_rule'] {
  const { matcher_rule: own, matcher_levels: levels = [] } = site;
  const rules = [own?.rules ?? [], ...levels.map((level) => level.rules)]
    .flat()
    .filter(({ enabled, until }) => enabled && (until === undefined || Date.parse(until) > now.getTime()));
  const observing = rules.filter(({ mode }) => mode === 'observe').length;
  const enforcing = rules.length - observing;
  return { state: enforcing > 0 ? 'on' : observing > 0 ? 'observe' : 'off', enforcing, observing };
}

function guardOf({ cc_guardian_rule: guard }: EffectiveSite, now: Date): SitePosture['cc_guardian_rule'] {
  const until = guard?.attack_until;
  const isEmergency = until !== undefined && Date.parse(until) > now.getTime();
  const mode = isEmergency ? 'under_attack' : (guard?.mode ?? 'off');
  const rules = (guard?.rules ?? []).filter(({ enabled }) => enabled).length;
  return { state: mode === 'off' ? 'off' : mode === 'watch' ? 'observe' : 'on', mode, rules };
}

function systemRulesOf({ used_system_rule: rule }: EffectiveSite): SitePosture['used_system_rule'] {
  const groups = systemRuleGroups.map((group) => ({ group, mode: systemRuleModeOf(rule ?? {}, group) }));
  const blocking = groups.filter(({ mode }) => mode === 'default' || mode === 'strict').length;
  const isAll = groups.every(
    ({ group, mode }) => group === 'leak' || mode === 'default' || mode === 'strict',
  );
  const isOff = groups.every(({ mode }) => mode === 'off');
  // Leaks are what answers have, and set apart.
  const state = isAll ? 'on' : blocking > 0 ? 'partial' : isOff ? 'off' : 'observe';
  return { state, groups, exceptions: rule?.exceptions.length ?? 0 };
}

function adviceFor(posture: Omit<SitePosture, 'advice'>, site: EffectiveSite): PostureAdvice[] {
  const { https, used_system_rule: detection, matcher_rule: matchers, cc_guardian_rule: guard } = posture;
  const { security, used_system_rule: rule } = site;
  const isInspecting = detection.state !== 'off';
  const advice: Record<PostureAdvice, boolean> = {
    https_certificate: https.state === 'off',
    https_redirect: https.state === 'partial',
    system_rules_off: !isInspecting,
    system_rules_observe: isInspecting && detection.groups.some(({ mode }) => mode === 'observe'),
    system_rules_body: isInspecting && rule?.body_bytes === 0,
    matchers_observe: matchers.observing > 0,
    cc_guard_off: guard.state === 'off',
    cc_guard_watch: guard.state === 'observe',
    rate_limit: security?.rate_per_address?.requests === undefined && security?.rate?.requests === undefined,
  };
  return (Object.keys(advice) as PostureAdvice[]).filter((name) => advice[name]);
}
