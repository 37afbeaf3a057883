/** The key that links of the control plane are signed with, as the agent tells it; kept over reloads. */
const kept = ngx.shared.edge_keys;

export function putLinkKey(key: string): void {
  kept.set('link', key);
}

export function linkKey(): string | undefined {
  return kept.get('link') as string | undefined;
}
