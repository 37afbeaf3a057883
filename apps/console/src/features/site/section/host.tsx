import type { InheritedSection, LevelRef } from '@breakwater/contract';
import { protectionSections } from '@breakwater/contract/site-config/protection-sections';
import { createContext, use } from 'react';
import { useChange } from '../../../api/change.ts';
import { call, type Data } from '../../../api/client.ts';
import { useFormRead } from '../../../api/form-read.ts';
import type { Undo } from '../../../frame/undo.ts';
import { useSiteIfAny } from '../context.tsx';

/** What the forms of sections are about: a site, or a level that sites inherit from. */

export interface LevelHost {
  ref: LevelRef;
  /** The level's version, which a rollback names; sections read theirs with their value. */
  version: number;
  /** Why the reader may not change it; undefined: they may. */
  denied: string | undefined;
  /** Told of every change that was sent to the nodes, with what takes it back, and the version that it made. */
  onSent: (undo?: Undo, version?: number) => void;
  /** Puts it back to what it was before the change that made this version. */
  undoOf: (version: number) => Undo;
  /** Shows what a change would touch; false: it is not to be made. */
  confirm: (touched: Data<'previewSiteLevelSection'>) => Promise<boolean>;
}
const LevelContext = createContext<LevelHost | null>(null);
export const LevelHostProvider = LevelContext.Provider;

/** The level that the screen is about, if it is about one. */
export const useLevel = (): LevelHost | null => use(LevelContext);

/** What every section's form needs, of whichever it is about. One of both is always there: its screen provides it. */
export function useSectionHost(): Pick<LevelHost, 'denied' | 'onSent' | 'undoOf'> {
  const level = useLevel();
  const site = useSiteIfAny();
  return level ?? site!;
}

/** The calls of each section: their types tell the forms what they read and write. */
interface Reads {
  cache_rule: 'getCacheRule';
  speed_optimize: 'getSpeedOptimize';
  certificate_settings: 'getCertificateSettings';
  advanced_config: 'getAdvancedConfig';
  security: 'getSiteSecurity';
  real_ip: 'getRealIp';
  block_referer: 'getBlockReferer';
  content_rewrite: 'getContentRewrite';
  cc_guardian_rule: 'getCcGuardianRule';
  browser_verify_rule: 'getBrowserVerifyRule';
  used_system_rule: 'getUsedSystemRule';
}
interface Writes {
  cache_rule: 'updateCacheRule';
  speed_optimize: 'updateSpeedOptimize';
  certificate_settings: 'updateCertificateSettings';
  advanced_config: 'updateAdvancedConfig';
  security: 'updateSiteSecurity';
  real_ip: 'updateRealIp';
  block_referer: 'updateBlockReferer';
  content_rewrite: 'updateContentRewrite';
  cc_guardian_rule: 'updateCcGuardianRule';
  browser_verify_rule: 'updateBrowserVerifyRule';
  used_system_rule: 'updateUsedSystemRule';
}
const reads: Reads = {
  cache_rule: 'getCacheRule',
  speed_optimize: 'getSpeedOptimize',
  certificate_settings: 'getCertificateSettings',
  advanced_config: 'getAdvancedConfig',
  security: 'getSiteSecurity',
  real_ip: 'getRealIp',
  block_referer: 'getBlockReferer',
  content_rewrite: 'getContentRewrite',
  cc_guardian_rule: 'getCcGuardianRule',
  browser_verify_rule: 'getBrowserVerifyRule',
  used_system_rule: 'getUsedSystemRule',
};
const writes: Writes = {
  cache_rule: 'updateCacheRule',
  speed_optimize: 'updateSpeedOptimize',
  certificate_settings: 'updateCertificateSettings',
  advanced_config: 'updateAdvancedConfig',
  security: 'updateSiteSecurity',
  real_ip: 'updateRealIp',
  block_referer: 'updateBlockReferer',
  content_rewrite: 'updateContentRewrite',
  cc_guardian_rule: 'updateCcGuardianRule',
  browser_verify_rule: 'updateBrowserVerifyRule',
  used_system_rule: 'updateUsedSystemRule',
};

/** Sections of protection have their site in the path, the others in the query. */
const ofSite = (section: InheritedSection, id: number) =>
  (protectionSections as readonly string[]).includes(section)
    ? { params: { id } }
    : { query: { site_id: id } };

/** A section that sites inherit, of the site or the level that the screen is about. */
export function useInherited<Section extends InheritedSection>(section: Section) {
  const level = useLevel();
  const site = useSiteIfAny();
  const [name, input] = level
    ? ['getSiteLevelSection' as const, { query: { ...level.ref, section } }]
    : [reads[section], ofSite(section, site!.site.id)];
  // Both answer alike; only the type of a level's value is wider.
  return useFormRead(name as Reads[Section], input as never);
}

interface Built<Value> {
  version: number;
  value: Value;
  own?: string[];
}

/** Saves it; nothing where the change of a level was not confirmed. */
export function useInheritedSave<Section extends InheritedSection>(section: Section) {
  type Saved = Data<Writes[Section]>;
  const level = useLevel();
  const site = useSiteIfAny();
  const name = level ? ('updateSiteLevelSection' as const) : writes[section];
  const { mutateAsync } = useChange(name as Writes[Section]);
  return async (body: Built<object>): Promise<Saved | undefined> => {
    if (!level) return mutateAsync({ ...ofSite(section, site!.site.id), body } as never);
    const query = { ...level.ref, section };
    // What is shown beforehand is of the change alone; the save itself is refused if somebody was faster.
    const { version: _, ...change } = body;
    const touched = await call('previewSiteLevelSection', { query, body: change as never });
    if (!(await level.confirm(touched))) return undefined;
    return mutateAsync({ query, body } as never);
  };
}
