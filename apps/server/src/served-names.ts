/** The name itself, and the wildcards that nodes would find its site by, the nearest first. */
export function servedNames(host: string): string[] {
  const labels = host.split('.');
  return [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}
