import { allows, type RouteName } from '@breakwater/contract';
import { accountQuery, holderOf, useMay } from './account.ts';
import { call, type Arguments, type Data, type Row } from './client.ts';
import { apiQuery, queryClient, useApi } from './query.ts';
import { routeOf } from './tables.ts';

/** Choices for selects, by the entities they name: found by the server as one types, and called by their names. */

interface Choice {
  value: number;
  label: string;
  disabled?: boolean;
}
interface Choices {
  find: (text: string, signal: AbortSignal) => Promise<Choice[]>;
  named: (ids: readonly number[]) => Promise<Choice[]>;
}
/** Calls that answer a page of a list, and of which one may ask for rows by their ids. */
export type ListName = {
  [Name in RouteName]: Arguments<Name> extends { query: { ids?: string | undefined } }
    ? Data<Name> extends { list: object[] }
      ? Name
      : never
    : never;
}[RouteName];
type Asked<Name extends ListName> = Arguments<Name> extends { query: infer Query } ? Query & object : never;

/** The compiler does not follow which calls `ListName` names. */
export const askedOf = <Name extends ListName>(query: object) => ({ query }) as unknown as Arguments<Name>;
export const rowsIn = <Name extends ListName>(answer: Data<Name>) =>
  (answer as unknown as { list: Row<Name>[] }).list;

/** So many are shown of those that were found. */
const foundMax = 20;
/** One read names so many. */
const namedMax = 200;

/** @param asked what the list is asked for to find a text. */
export function choicesOf<Name extends ListName>(
  name: Name,
  asked: (text: string) => NoInfer<Asked<Name>>,
  choice: (row: Row<Name>) => Choice,
): Choices {
  const choicesIn = (answer: Data<Name>) => rowsIn(answer).map(choice);
  return {
    find: async (text, signal) =>
      mayCall(name)
        ? choicesIn(
            await call(name, askedOf<Name>({ page_size: foundMax, ...(asked(text) as object) }), signal),
          )
        : [],
    named: together(async (ids) => {
      // Who may not read them has their ids.
      if (!mayCall(name)) return ids.map((value) => ({ value, label: `#${value}` }));
      const named: Choice[] = [];
      for (let start = 0; start < ids.length; start += namedMax) {
        const query = { ids: ids.slice(start, start + namedMax).join(','), page_size: namedMax };
        named.push(...choicesIn(await queryClient.fetchQuery(apiQuery(name, askedOf<Name>(query)))));
      }
      return named;
    }),
  };
}

/** What is asked for at the same moment, as by the rows of a list, is read at once; everyone is answered all of it. */
function together(read: Choices['named']): Choices['named'] {
  let asked = new Set<number>();
  let next: Promise<Choice[]> | undefined;
  return (ids) => {
    for (const id of ids) asked.add(id);
    next ??= Promise.resolve().then(() => {
      const all = [...asked].toSorted((one, other) => one - other);
      asked = new Set();
      next = undefined;
      return read(all);
    });
    return next;
  };
}

/** As `useMay`, of the account that is signed in, outside of what is drawn. */
function mayCall(name: RouteName): boolean {
  const account = queryClient.getQueryData(accountQuery().queryKey);
  const spec = routeOf(name);
  return account !== undefined && spec !== undefined && allows(spec.access, holderOf(account));
}

const nameOf = ({ id, name }: { id: number; name: string }): Choice => ({ value: id, label: name });
const siteChoice = ({ id, domains }: Pick<Row<'listSites'>, 'id' | 'domains'>): Choice => ({
  value: id,
  label: domains[0] ?? `#${id}`,
});

/** Of a customer; of all that the caller reaches where none is named. */
export const sitesOf = (client_id: number | undefined): Choices =>
  choicesOf('listSites', (domain_name) => ({ domain_name, client_id }), siteChoice);
export const siteChoices = sitesOf(undefined);

type FindNames = (text: string, signal: AbortSignal) => Promise<{ value: string; label: string }[]>;
const byName = (name: string) => ({ value: name, label: name });

/** Domains of the sites of a customer; of all that the caller reaches where none is named. */
export const domainsOf =
  (client_id: number | undefined): FindNames =>
  async (domain_name, signal) => {
    if (!mayCall('listSites')) return [];
    const query = { domain_name, client_id, page_size: foundMax };
    const { list } = await call('listSites', { query }, signal);
    return list.flatMap(({ domains }) => domains.map(byName));
  };

/** Groups that certificates are in, of a customer; of all that the caller reaches where none is named. */
export const certificateGroupsOf =
  (client_id: number | undefined): FindNames =>
  async (name, signal) => {
    const query = { name, client_id, page_size: foundMax };
    const { list } = await call('listCertificateGroups', { query }, signal);
    return list.map((group) => byName(group.name));
  };

/** Those of the platform itself. */
export const platformCertificates = choicesOf(
  'listCertificates',
  (keyword) => ({ keyword, owner: 'platform' as const, page_size: 5 }),
  ({ id, name, domains }) => ({ value: id, label: `${name} (${domains.join(', ')})` }),
);
/** Of a customer; of the caller's own where none is named. */
export const certificatesOf = (client_id: number | undefined): Choices =>
  choicesOf(
    'listCertificates',
    // Five, by the specification: names of certificates are long.
    (keyword) => ({ keyword, client_id, page_size: 5 }),
    ({ id, name, domains }) => ({ value: id, label: `${name} (${domains.join(', ')})` }),
  );

const nodeChoice = ({ id, name, ip }: Pick<Row<'listNodes'>, 'id' | 'name' | 'ip'>): Choice => ({
  value: id,
  label: `${name} (${ip})`,
});
export const nodeChoices = choicesOf('listNodes', (name) => ({ name }), nodeChoice);
/** Nodes that a line group does not have yet. */
export const nodesOutside = (without_line_group_id: number): Choices =>
  choicesOf('listNodes', (name) => ({ name, without_line_group_id }), nodeChoice);

export const clientChoices = choicesOf(
  'listClients',
  (name) => ({ name }),
  ({ id, name, email }) => ({ value: id, label: `${name} (${email})` }),
);

export const orderChoices = choicesOf(
  'listOrders',
  (keyword) => ({ keyword, status: 'active' as const }),
  ({ id, another_name: name, product_name, order_no, client_name }) => ({
    value: id,
    label: `${name || product_name} · ${order_no} · ${client_name}`,
  }),
);

/** As customers may read them, too. */
export const authorityChoices = choicesOf('listCertificateAuthorities', (name) => ({ name }), nameOf);
export const certificateOrderChoices = choicesOf('listCertificateOrders', (name) => ({ name }), nameOf);
export const dnsAccountChoices = choicesOf('listDnsAccounts', (name) => ({ name }), nameOf);
/** Of a customer. */
export const dnsAccountsOf = (client_id: number): Choices =>
  choicesOf('listDnsAccounts', (name) => ({ name, client_id }), nameOf);
/** Those that a level may name: the platform's, and of a customer's level theirs too. */
export const dnsUsableBy = (usable_by: number | 'platform'): Choices =>
  choicesOf('listDnsAccounts', (name) => ({ name, usable_by }), nameOf);
export const ruleTemplateChoices = choicesOf('listWafMatchers', (name) => ({ name }), nameOf);
export const areaChoices = choicesOf('listAreas', (name) => ({ name }), nameOf);
export const lineGroupChoices = choicesOf('listLineGroups', (name) => ({ name }), nameOf);
export const productChoices = choicesOf('listProducts', (name) => ({ name }), nameOf);
/** Those that are sold. */
export const soldProducts = choicesOf('listProducts', (name) => ({ name, delisted: 'no' as const }), nameOf);

export const tagChoices = choicesOf(
  'listTags',
  (name) => ({ name }),
  ({ id, name, client_name: client }) => ({
    value: id,
    label: client === null ? name : `${name} (${client})`,
  }),
);

/** What a new thing is in until somebody chooses: the first there is. */
export function useFirst(name: 'listAreas' | 'listLineGroups'): number | undefined {
  const may = useMay()(name);
  return useApi(name, { query: { page_size: 1 } }, { enabled: may }).data?.list[0]?.id;
}

/** Lists that rules of a customer can name: theirs and the platform's. */
export function listsUsableBy(client: number | 'platform'): Choices {
  const known = usableLists.get(client);
  if (known) return known;
  const made = choicesOf('listAddressLists', (name) => ({ name, usable_by: client }), nameOf);
  usableLists.set(client, made);
  return made;
}
const usableLists = new Map<number | 'platform', Choices>();
export const ownLists = choicesOf('listAddressLists', (name) => ({ name }), nameOf);

/** Accounts at vendors of challenges that sites of a customer can name: theirs and the platform's. */
export function captchaUsableBy(client: number | 'platform'): Choices {
  const known = usableCaptcha.get(client);
  if (known) return known;
  const made = choicesOf('listCaptchaAccounts', (name) => ({ name, usable_by: client }), nameOf);
  usableCaptcha.set(client, made);
  return made;
}
const usableCaptcha = new Map<number | 'platform', Choices>();
export const ownCaptcha = choicesOf('listCaptchaAccounts', (name) => ({ name }), nameOf);

/** Of address lists those that rules fill. */
export function filledListsUsableBy(client: number | 'platform'): Choices {
  const known = filledLists.get(client);
  if (known) return known;
  const made = choicesOf(
    'listAddressLists',
    (name) => ({ name, usable_by: client, source: 'rules' as const }),
    nameOf,
  );
  filledLists.set(client, made);
  return made;
}
const filledLists = new Map<number | 'platform', Choices>();
export const ownFilledLists = choicesOf(
  'listAddressLists',
  (name) => ({ name, source: 'rules' as const }),
  nameOf,
);
