/** The addresses of origins given by name. The agent resolves them; nginx only reads what it was told. */
const resolved = ngx.shared.edge_resolved;

/** Takes the whole list: a name that is not in it has no addresses any more. */
export function putResolved(addresses: Record<string, string[]>): void {
  const before = resolved.get_keys(0);
  for (const name in addresses) resolved.set('ip/' + name, table.concat(addresses[name]!, ' '));
  for (const key of before) {
    const [name] = string.match(key, '^ip/(.+)$');
    if (name !== undefined && addresses[name] === undefined) resolved.delete(key);
  }
  resolved.incr('epoch', 1, 0);
}

export function resolvedEpoch(): number {
  return (resolved.get('epoch') as number | undefined) ?? 0;
}

/** Every address of an origin: itself when it is one already, else those of its name. IPv6 comes in brackets. */
export function addressesOf(address: string): string[] {
  if (address.includes(':')) return [`[${address}]`];
  if (string.find(address, '^[%d.]+$')[0] !== undefined) return [address];
  const list: string[] = [];
  const known = resolved.get('ip/' + address) as string | undefined;
  if (known === undefined) return list;
  for (const ip of known.split(' ')) list.push(ip.includes(':') ? `[${ip}]` : ip);
  return list;
}
