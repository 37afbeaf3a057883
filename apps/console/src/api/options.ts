import { useMay } from './account.ts';
import { call, type ApiError, type Row } from './client.ts';
import { useApi } from './query.ts';

/** Choices for selects, by the entities they name; none where they may not be read. One page of the largest size: of these there are few. */
const page_size = 200;
interface Choice {
  value: number;
  label: string;
  isGone?: boolean;
}

/** What is chosen and does not exist any more, by its id. */
const goneChoice = (id: number | undefined, error: ApiError | null): Choice | undefined =>
  id !== undefined && error?.status === 404 ? { value: id, label: `#${id}`, isGone: true } : undefined;

/** Of what there can be many, those that a picker's text finds; what is chosen is asked for by its id. */
const found = { page_size: 20 };
type Find = (text: string, signal: AbortSignal) => Promise<Choice[]>;

const siteChoice = ({ id, domains }: Pick<Row<'listSites'>, 'id' | 'domains'>): Choice => ({
  value: id,
  label: domains[0] ?? `#${id}`,
});
/** Of a customer; of all that the caller reaches where none is named. */
export const findSitesOf =
  (client_id: number | undefined): Find =>
  async (text, signal) =>
    (await call('listSites', { query: { ...found, client_id, domain_name: text } }, signal)).list.map(
      siteChoice,
    );
export const findSites: Find = findSitesOf(undefined);
export function useSiteChoice(id: number | undefined): Choice | undefined {
  const read = useApi('getSite', { params: { id: id ?? 0 } }, { enabled: id !== undefined });
  return read.data ? siteChoice(read.data) : goneChoice(id, read.error);
}

export const certificateChoice = ({
  id,
  name,
  domains,
}: Pick<Row<'listCertificates'>, 'id' | 'name' | 'domains'>): Choice => ({
  value: id,
  label: `${name} (${domains.join(', ')})`,
});
/** Of a customer; of the caller's own where none is named. */
export const findCertificates =
  (client_id: number | undefined): Find =>
  async (keyword, signal) =>
    (await call('listCertificates', { query: { page_size: 5, keyword, client_id } }, signal)).list.map(
      certificateChoice,
    );

const nodeChoice = ({ id, name, ip }: Pick<Row<'listNodes'>, 'id' | 'name' | 'ip'>): Choice => ({
  value: id,
  label: `${name} (${ip})`,
});
export const findNodes: Find = async (text, signal) =>
  (await call('listNodes', { query: { ...found, name: text } }, signal)).list.map(nodeChoice);
/** Nodes that a line group does not have yet. */
export const findNodesOutside =
  (lineGroupId: number): Find =>
  async (text, signal) =>
    (
      await call('listNodes', { query: { ...found, name: text, without_line_group_id: lineGroupId } }, signal)
    ).list.map(nodeChoice);
export function useNodeChoice(id: number | undefined): Choice | undefined {
  const read = useApi('getNode', { params: { id: id ?? 0 } }, { enabled: id !== undefined });
  return read.data ? nodeChoice(read.data) : goneChoice(id, read.error);
}

const clientChoice = ({ id, name, email }: Pick<Row<'listClients'>, 'id' | 'name' | 'email'>): Choice => ({
  value: id,
  label: `${name} (${email})`,
});
export const findClients: Find = async (text, signal) =>
  (await call('listClients', { query: { ...found, name: text } }, signal)).list.map(clientChoice);
export function useClientChoice(id: number | undefined): Choice | undefined {
  const read = useApi('getClient', { params: { id: id ?? 0 } }, { enabled: id !== undefined });
  return read.data ? clientChoice(read.data) : goneChoice(id, read.error);
}

const orderChoice = ({
  id,
  another_name: name,
  product_name,
  order_no,
  client_name,
}: Pick<Row<'listOrders'>, 'id' | 'another_name' | 'product_name' | 'order_no' | 'client_name'>): Choice => ({
  value: id,
  label: `${name || product_name} · ${order_no} · ${client_name}`,
});
export const findOrders: Find = async (text, signal) =>
  (await call('listOrders', { query: { ...found, status: 'active', keyword: text } }, signal)).list.map(
    orderChoice,
  );
export function useOrderChoice(id: number | undefined): Choice | undefined {
  const read = useApi('getOrder', { params: { id: id ?? 0 } }, { enabled: id !== undefined });
  return read.data ? orderChoice(read.data) : goneChoice(id, read.error);
}

export function useAreaOptions(): Choice[] {
  const { data } = useApi('listAreas', { query: { page_size } }, { enabled: useMay()('listAreas') });
  return data?.list.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}

export function useLineGroupOptions({ enabled = true } = {}): Choice[] {
  const may = useMay()('listLineGroups');
  const { data } = useApi('listLineGroups', { query: { page_size } }, { enabled: enabled && may });
  return data?.list.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}

export function useProductOptions({ enabled = true } = {}): Choice[] {
  const may = useMay()('listProducts');
  const { data } = useApi('listProducts', { query: { page_size } }, { enabled: enabled && may });
  return data?.list.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}

export function useTagOptions(): Choice[] {
  const { data } = useApi('listTags', { query: { page_size } }, { enabled: useMay()('listTags') });
  return (
    data?.list.map(({ id, name, client_name: client }) => ({
      value: id,
      label: client === null ? name : `${name} (${client})`,
    })) ?? []
  );
}
