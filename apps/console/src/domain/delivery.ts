/** How far a revision has come. */
export type Delivery = 'none' | 'pending' | 'applied' | 'refused';

/** What the nodes say together: green only when each has acknowledged. */
export function deliveryState(nodes: readonly { status: Delivery }[]): Delivery {
  if (nodes.length === 0) return 'none';
  if (nodes.some(({ status }) => status === 'refused')) return 'refused';
  return nodes.every(({ status }) => status === 'applied') ? 'applied' : 'pending';
}
