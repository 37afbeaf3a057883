interface OriginFields {
  origin: string;
  origin_port?: number | undefined;
  origin_protocol?: 'http' | 'https' | 'follow' | undefined;
}

/**
 * Takes apart what people paste as an origin: `host:port`, `[::1]:8080`, `https://host:8443/`. What was said in the
 * fields for port and protocol goes first; what cannot be taken apart is left for the contract to judge.
 */
export function splitOrigin<Fields extends OriginFields>(fields: Fields): Fields {
  const match = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^\s:/?#]+)(?::(\d{1,5}))?\/?$/i.exec(
    fields.origin.trim(),
  );
  const split = { ...fields };
  if (match) {
    const [, protocol, host = '', port] = match;
    split.origin = host.replace(/^\[|\]$/g, '');
    if (port !== undefined) split.origin_port ??= Number(port);
    if (protocol !== undefined)
      split.origin_protocol ??= protocol.toLowerCase() === 'https' ? 'https' : 'http';
  }
  // Left out rather than undefined, so that spreading it over other fields sets nothing.
  for (const key of ['origin_port', 'origin_protocol'] as const)
    if (split[key] === undefined) delete split[key];
  return split;
}
