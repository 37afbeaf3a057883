import type { Config } from '../config.ts';

/** Addresses of the consoles that the operator has named. */
export const publicOrigins = ({ publicAdminUrl, publicUserUrl }: Config): string[] =>
  [publicAdminUrl, publicUserUrl].flatMap((url) => (url ? [new URL(url).origin] : []));

/** Whether an origin is this host, on one of the two ports. */
export function isSibling({ adminPort, userPort }: Config, origin: string, hostname: string): boolean {
  const url = URL.parse(origin);
  return url?.hostname === hostname && [adminPort, userPort].map(String).includes(url.port);
}
