import type { LevelDocument, SiteDocument } from '@breakwater/contract/edge-document';
import { levelKeysOf } from '@breakwater/policy/site/level-keys';
import { decodeJson } from '../lib/json.ts';
import * as store from '../documents/store.ts';

/** The levels above sites, as this worker holds them. */

interface Held {
  revision: number;
  document: LevelDocument;
}
type Belonging = Pick<SiteDocument, 'client_id' | 'product_id'>;

/** Some levels are of customers, of whom there can be many. */
const heldMax = 1000;
let held: Record<string, Held> = {};
let heldCount = 0;

/** The levels that a site inherits from and that say anything, the nearest first. */
export function levelsOf(site: Belonging): LevelDocument[] {
  const levels: LevelDocument[] = [];
  for (const key of levelKeysOf(site)) {
    const level = levelAt(key);
    if (level !== undefined) levels.push(level);
  }
  return levels;
}

/** Another text when one of a site's levels changed. */
export function levelStampOf(site: Belonging): string {
  let stamp = '';
  for (const key of levelKeysOf(site)) stamp += `${store.revisionOf('level', key) ?? 0} `;
  return stamp;
}

/** Most changes of levels are of others than a site's own. */
export function inheritsAsBefore(site: {
  document: Belonging;
  levelEpoch: number;
  levelStamp: string;
}): boolean {
  const epoch = store.levelEpoch();
  if (site.levelEpoch === epoch) return true;
  if (levelStampOf(site.document) !== site.levelStamp) return false;
  site.levelEpoch = epoch;
  return true;
}

function levelAt(key: string): LevelDocument | undefined {
  const revision = store.revisionOf('level', key);
  const body = revision === undefined ? undefined : store.bodyOf('level', key);
  if (revision === undefined || body === undefined) return undefined;
  const known = held[key];
  if (known !== undefined && known.revision === revision) return known.document;
  if (known === undefined) heldCount += 1;
  if (heldCount > heldMax) {
    held = {};
    heldCount = 1;
  }
  const [document] = decodeJson(body);
  held[key] = { revision, document: document as LevelDocument };
  return document as LevelDocument;
}
