import type {
  AskedSection,
  LevelDocument,
  SiteDocument,
  SiteSection,
  SiteSnapshot,
} from '@breakwater/contract';
import type { Config } from '../../config.ts';
import type { Transaction } from '../../db/database.ts';

/**
 * One section of a site's configuration on the server: what it asks of a change beyond the contract, which secrets it holds,
 * what it depends on, and what nodes are told of it. `sections.ts` gathers them; whoever writes or publishes sites goes
 * through them and knows none by name.
 */
export interface Section<Name extends SiteSection = SiteSection> {
  name: Name;
  /** Fields with ids of what the customer has beside the site: no file and no copy holds them. */
  ids?: readonly string[];
  /** What the contract asks for and a value from a file or a batch need not say. */
  completedBy?: Partial<SiteSnapshot[Name]>;
  /** Refuses what neither a site nor a level may say. */
  checkValue?(change: ValueChange<SiteSnapshot[Name]>): void;
  /** Refuses what this site may not say. */
  check?(change: SiteChange): void | Promise<void>;
  /** A value that was sent as it is kept, before its secrets are sealed. */
  keep?(value: SiteSnapshot[Name]): SiteSnapshot[Name];
  /** What nodes need besides, to do what it says; also asked of the section of a level. */
  uses?(value: SiteSnapshot[Name]): Partial<Uses>;
  /** What is set on a site or a level, as it travels; without this, as it is set. */
  publishOwn?(own: Partial<SiteSnapshot[Name]>): OwnDocument;
  /** What no site inherits, as it travels; what is as by default is left out, for nodes hold it in memory. */
  publish?(value: SiteSnapshot[Name]): DocumentPart;
}

export const defineSection = <Name extends SiteSection>(
  name: Name,
  room: Omit<Section<Name>, 'name'>,
): Section<Name> => ({ name, ...room });

export interface ValueChange<Value> {
  before: Value;
  after: Value;
  /** Where the value stands in what was sent. */
  path: string;
}

export interface SiteChange {
  tx: Transaction;
  config: Pick<Config, 'privateOrigins'>;
  site: { id: number; orderId: number; lineGroupId: number };
  before: SiteSnapshot;
  after: SiteSnapshot;
  /** Where the section's value stands in what was sent. */
  path: string;
  /** The section was sent by itself: not in a file, and not brought back by a rollback. */
  alone: boolean;
}

/** Documents that nodes need beside the one of a site or a level. */
export interface Uses {
  certificates: readonly number[];
  addressLists: readonly number[];
  /** Of vendors of challenges. */
  captchaAccounts: readonly number[];
  /** The table of where addresses are. */
  places: boolean;
  /** The rules for known vulnerabilities. */
  knownVulnerabilities: boolean;
}

/** What the sections say in the document of a site. */
export type SectionsDocument = Pick<SiteDocument, SiteSection | 'cache_settings' | 'unset' | 'needs'>;
/** What of it can also be said by a level. */
export type OwnDocument = Omit<LevelDocument, 'level' | 'target_id' | AskedSection>;
/** Some fields of it: more than one section may add to what travels under one name. */
export type DocumentPart = { [Name in keyof SectionsDocument]?: Partial<SectionsDocument[Name]> };
