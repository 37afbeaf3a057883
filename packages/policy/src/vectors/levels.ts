import type { LevelDocument, SiteDocument } from '@breakwater/contract/edge-document';
import { needsOf, unknownNeed, usesJa4 } from '../site/needs.ts';
import { layerOfField, mergeSection, mergeSite, type Layer, type Section } from '../site/levels.ts';

/** How a site comes by values that it does not set itself; nothing for another decision. */
export function runLevelVector(decision: string, input: Record<string, unknown>): unknown {
  if (decision === 'levels') return field(input as never);
  if (decision === 'level-site') return site(input as never);
  if (decision === 'needs')
    return {
      needs: needsOf(input.document).join(' '),
      unknown: unknownNeed(input.document) ?? '',
      ...(usesJa4(input.document) ? { asks: 'ja4' } : {}),
    };
  return undefined;
}

function field(input: { section: string; field: string; layers: Layer[]; defaults: Section }): unknown {
  const merged = mergeSection(input.section, input.layers, input.defaults);
  return { value: merged?.[input.field], from: layerOfField(input.section, input.field, input.layers) };
}

const inheritedNames = [
  'advanced_config',
  'block_referer',
  'cache_settings',
  'content_rewrite',
  'real_ip',
  'security',
  'speed_optimize',
];

function site(input: { site: SiteDocument; levels: LevelDocument[] }): unknown {
  const merged = mergeSite(input.site, input.levels);
  const sections: string[] = [];
  for (const name of inheritedNames)
    if ((merged as unknown as Section)[name] !== undefined) sections.push(name);
  const { certificate_settings: https, cache_settings: cache } = merged;
  return {
    site_id: merged.site_id,
    certificates: https.certificate_ids.join(' '),
    rules: merged.cache_rule.length,
    sections: sections.join(' '),
    min_version: https.min_version,
    always_online: cache?.always_online,
    cache_header: cache?.cache_header,
    referers: merged.block_referer?.allow.join(' '),
    redirects: merged.content_rewrite?.redirects.length,
    url_rewrites: merged.content_rewrite?.url_rewrites.length,
  };
}
