import type {
  EffectiveSite,
  LevelDocument,
  LevelRef,
  SiteDocument,
  SiteSnapshot,
} from '@breakwater/contract';
import type { AddressLookups } from '@breakwater/policy/conditions/address-fact';
import { isInSet } from '@breakwater/policy/address/address-set';
import { mergeSite } from '@breakwater/policy/site/levels';
import { inArray } from 'drizzle-orm';
import { inBytes } from '../../byte-strings.ts';
import { addressList } from '../../db/schema.ts';
import type { Db } from '../../db/database.ts';
import { listsOf } from '../address-list/address-list.service.ts';
import { documentOfLevel } from '../site-level/site-level.service.ts';
import { levelKey, readLevel } from '../site-level/site-level.store.ts';
import { compileSections } from '../site-section/site-section.service.ts';

/** Sites as nodes have them, out of what is stored, or would be. */

export interface ReplayedSite {
  id: number;
  clientId: number;
  orderId: number;
  productId: number;
}

/** Levels, each read once. */
export class Levels {
  readonly #db: Db;
  readonly #read = new Map<string, Promise<LevelDocument>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** The nearest first. */
  above({ clientId, productId }: ReplayedSite): Promise<LevelDocument[]> {
    const refs: LevelRef[] = [
      { level: 'client', target_id: clientId },
      { level: 'product', target_id: productId },
      { level: 'global', target_id: 0 },
    ];
    return Promise.all(refs.map((ref) => this.#level(ref)));
  }

  #level(ref: LevelRef): Promise<LevelDocument> {
    const key = levelKey(ref);
    const reading =
      this.#read.get(key) ?? readLevel(this.#db, ref).then(({ values }) => documentOfLevel(ref, values));
    this.#read.set(key, reading);
    return reading;
  }
}

export const withLevel = (levels: readonly LevelDocument[], draft: LevelDocument): LevelDocument[] =>
  levels.map((each) => (each.level === draft.level ? draft : each));

export function effectiveSite(
  site: ReplayedSite,
  snapshot: SiteSnapshot,
  levels: readonly LevelDocument[],
): EffectiveSite {
  const own: SiteDocument = {
    site_id: site.id,
    client_id: site.clientId,
    order_id: site.orderId,
    product_id: site.productId,
    status: snapshot.status,
    domains: snapshot.domains,
    ...compileSections(snapshot),
  };
  return mergeSite(inBytes(own) as SiteDocument, inBytes(levels) as LevelDocument[]);
}

/** The lists that any of the documents names; one that is not there names nobody. */
export async function listsNamedBy(
  db: Db,
  documents: readonly EffectiveSite[],
): Promise<Pick<AddressLookups, 'isListed'>> {
  const ids = [...new Set(documents.flatMap((document) => listsOf(document)))];
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ id: addressList.id, v4: addressList.v4, v6: addressList.v6 })
          .from(addressList)
          .where(inArray(addressList.id, ids));
  const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString('latin1');
  const sets = new Map(rows.map(({ id, v4, v6 }) => [id, { v4: fromBase64(v4), v6: fromBase64(v6) }]));
  return {
    isListed: (list, address) => {
      const set = sets.get(list);
      return set !== undefined && isInSet(address, set);
    },
  };
}
