import { secretPlaces, type DnsRecordType, type Language } from '@breakwater/contract';
import { ApiError } from '../../api-error.ts';
import { listPage, pageOf } from '../../db/page.ts';
import type { dnsAccount } from '../../db/schema.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import type { DnsClient } from '../../providers/dns/dns-client.ts';
import { reachOf } from '../../providers/reach.ts';
import { providers } from '../../providers/registry.ts';
import { everything, type Scope } from '../../scope.ts';
import { openValue } from '../../secret-values.ts';
import type { Services } from '../../services.ts';
import { dnsAccounts } from './dns-account.store.ts';

type Row = typeof dnsAccount.$inferSelect;

function clientOf({ config, secrets }: Services, { provider, params, clientId }: Row): DnsClient {
  const { description, make } = providers.dns[provider];
  const opened = openValue(params, secretPlaces(description.params), secrets);
  return make(opened, { reach: reachOf(config, clientId) });
}

/** For the platform's own work, whoever's the account is. Fails with a `ProviderProblem`, `not_found` for one that is gone. */
export const dnsClientOf = async (services: Services, id: number): Promise<DnsClient> =>
  clientOf(services, await dnsAccounts.read(services.db, everything, id));

export const testDnsAccount = (services: Services, scope: Scope, id: number, language: Language) =>
  dnsAccounts.test(services.db, scope, { id, language, nothing: { zones: [] as string[] } }, async (row) => {
    const client = clientOf(services, row);
    await providers.dns[row.provider].test(client);
    return { zones: await client.zones() };
  });

/** Fails at the field that is named with what the provider said. */
async function atField<Result>(path: string, ask: Promise<Result>): Promise<Result> {
  try {
    return await ask;
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    const { issue, detail } = error;
    throw new ApiError('invalid_input', [{ path, issue, detail: detail === '' ? '' : ` (${detail})` }]);
  }
}

interface ZoneFilter {
  current_page: number;
  page_size: number;
  name?: string | undefined;
}

export async function listDnsZones(services: Services, scope: Scope, id: number, query: ZoneFilter) {
  const client = clientOf(services, await dnsAccounts.read(services.db, scope, id));
  const zones = await atField('id', client.zones());
  const found = zones.filter((name) => name.includes(query.name?.toLowerCase() ?? ''));
  const { limit, offset } = pageOf(query);
  const page = found.slice(offset, offset + limit).map((name) => ({ name }));
  return listPage(query, page, found.length);
}

export async function readDnsRecords(
  services: Services,
  scope: Scope,
  id: number,
  { zone, name, type }: { zone: string; name: string; type: DnsRecordType },
) {
  const client = clientOf(services, await dnsAccounts.read(services.db, scope, id));
  return { record_set: (await atField('zone', client.read(zone, name, type))) ?? null };
}
