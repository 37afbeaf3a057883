import { useApi } from './query.ts';

/** Choices for selects, by the entities they name. One page of the largest size: pickers of more search by themselves. */
const page_size = 200;
interface Choice {
  value: number;
  label: string;
}

export function useAreaOptions(): Choice[] {
  const { data } = useApi('listAreas', { query: { page_size } });
  return data?.list.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}

export function useLineGroupOptions({ enabled = true } = {}): Choice[] {
  const { data } = useApi('listLineGroups', { query: { page_size } }, { enabled });
  return data?.list.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}

export function useNodeOptions({ enabled = true } = {}): Choice[] {
  const { data } = useApi('listNodes', { query: { page_size } }, { enabled });
  return data?.list.map(({ id, name, ip }) => ({ value: id, label: `${name} (${ip})` })) ?? [];
}

export function useClientOptions({ enabled = true } = {}): Choice[] {
  const { data } = useApi('listClients', { query: { page_size } }, { enabled });
  return data?.list.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })) ?? [];
}

export function useProductOptions({ enabled = true } = {}): Choice[] {
  const { data } = useApi('listProducts', { query: { page_size } }, { enabled });
  return data?.list.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}

export function useSiteOptions(): Choice[] {
  const { data } = useApi('listSites', { query: { page_size } });
  return data?.list.map(({ id, domains }) => ({ value: id, label: domains[0] ?? `#${id}` })) ?? [];
}

export function useTagOptions(): Choice[] {
  const { data } = useApi('listTags', { query: { page_size } });
  return (
    data?.list.map(({ id, name, client_name: client }) => ({
      value: id,
      label: client === null ? name : `${name} (${client})`,
    })) ?? []
  );
}

export function useOrderOptions(): Choice[] {
  const { data } = useApi('listOrders', { query: { page_size, status: 'active' } });
  return (
    data?.list.map((order) => ({
      value: order.id,
      label: `${order.another_name || order.product_name} · ${order.order_no} · ${order.client_name}`,
    })) ?? []
  );
}
