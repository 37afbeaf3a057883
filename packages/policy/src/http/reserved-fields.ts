/** Fields that no rule of a site sets, whatever its document says. */

/** They frame the message, name its host or its number, or are of one hop (RFC 9110 §7.6.1, RFC 9113 §8.2.2). */
const names: Record<string, boolean> = {
  connection: true,
  'content-length': true,
  host: true,
  'keep-alive': true,
  'proxy-authenticate': true,
  'proxy-authentication-info': true,
  'proxy-authorization': true,
  'proxy-connection': true,
  te: true,
  trailer: true,
  'transfer-encoding': true,
  upgrade: true,
  'x-request-id': true,
};

/** Also written with underscores: Lua's nginx module makes hyphens of them, and so do many origins. */
export function isReservedField(name: string): boolean {
  const field = name.toLowerCase().split('_').join('-');
  // What a proxy of nginx before or behind a node would obey, and what nodes tell each other.
  return names[field] === true || field.startsWith('x-accel-') || field.startsWith('x-breakwater');
}
