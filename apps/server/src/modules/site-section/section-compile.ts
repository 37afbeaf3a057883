import type { SiteSection, SiteSnapshot } from '@breakwater/contract';
import type { Layer } from '@breakwater/policy/site/levels';
import { needsOf } from '@breakwater/policy/site/needs';
import { layerOf, type OwnValues } from '../../site-values.ts';
import type { DocumentPart, OwnDocument, SectionsDocument } from './section.ts';
import { everySection } from './sections.ts';

/** What sections say in the documents of sites and levels: nothing of what is inherited, or is as by default. */

type Json = Record<string, unknown>;

/** What a site or a level sets, as it travels. */
export function compileOwn(values: OwnValues): OwnDocument {
  const { unset = [], ...layer }: Layer = layerOf(values);
  const parts = everySection.flatMap(({ name, publishOwn }) => {
    const own = layer[name] as Partial<SiteSnapshot[SiteSection]> | undefined;
    return own === undefined ? [] : [publishOwn?.(own) ?? { [name]: own }];
  });
  return { ...merged(parts), ...(unset.length === 0 ? {} : { unset }) } as OwnDocument;
}

/** All that the sections of a site say. */
export function compileSections(snapshot: SiteSnapshot): SectionsDocument {
  const alone = everySection.map(({ name, publish }): DocumentPart => publish?.(snapshot[name]) ?? {});
  return withNeeds(merged([compileOwn(snapshot), ...alone]) as SectionsDocument);
}

/** Nodes may be older than this server: they are told what they must know. */
export function withNeeds<Document extends object>(sections: Document): Document & { needs?: string[] } {
  const needs = needsOf(sections);
  return needs.length === 0 ? sections : { ...sections, needs };
}

/** The parts as one; of an object that several have, the fields of all. */
function merged(parts: readonly object[]): Json {
  const whole: Json = {};
  for (const part of parts)
    for (const [name, value] of Object.entries(part) as [string, unknown][]) {
      const before = whole[name];
      whole[name] = isFields(before) && isFields(value) ? { ...before, ...value } : value;
    }
  return whole;
}

const isFields = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
