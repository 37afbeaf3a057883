import type { DnsRecordSet, DnsRecordType } from '@breakwater/contract';

/**
 * What every DNS host can do. Names are in lower case without the dot at the end; values are as in a zone file, host names in
 * them with that dot. Everything fails with a `ProviderProblem`, `dns_zone_unknown` for a zone that the account has not.
 */
export interface DnsClient {
  zones(): Promise<string[]>;
  read(zone: string, name: string, type: DnsRecordType): Promise<DnsRecordSet | undefined>;
  /** Puts a record set in the place of what is there, all of it or nothing. */
  set(zone: string, records: DnsRecordSet): Promise<void>;
  /** Takes a record set away; of one that is not there, nothing. */
  remove(zone: string, name: string, type: DnsRecordType): Promise<void>;
}

export const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);
