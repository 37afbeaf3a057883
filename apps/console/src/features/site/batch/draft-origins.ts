import type { origin } from '@breakwater/contract';
import type * as z from 'zod';

/** The origins of a draft as text, and back. */

type DraftOrigin = z.input<typeof origin>;
interface DraftOriginConfig {
  protocol?: string;
  origins?: DraftOrigin[];
}

/** With the port for the protocol that is spoken to origins; a draft with `follow` has two, and shows that for HTTP. */
function textOf(
  protocol: string | undefined,
  { address, http_port: http, https_port: https }: DraftOrigin,
): string {
  const port = protocol === 'https' ? https : http;
  const host = address.includes(':') ? `[${address}]` : address;
  return port === undefined ? host : `${host}:${port}`;
}

export function originsText({ protocol, origins = [] }: DraftOriginConfig): string {
  return origins.map((each) => textOf(protocol, each)).join(', ');
}

/** One that is written as before keeps what else was said of it. */
export function withOrigins(config: DraftOriginConfig, text: string): DraftOriginConfig {
  const { protocol, origins: before = [] } = config;
  const origins = text
    .split(/[,\s]+/)
    .filter(Boolean)
    .map((written) => {
      const same = before.find((each) => textOf(protocol, each) === written);
      if (same !== undefined) return same;
      // `host`, `host:8080`, `[2001:db8::1]:8080`; what is none of them is sent as an address, and refused by the contract.
      const [, bracketed, bare, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(written) ?? [];
      const address = bracketed ?? bare ?? written;
      if (port === undefined) return { address };
      return protocol === 'https'
        ? { address, https_port: Number(port) }
        : { address, http_port: Number(port) };
    });
  return { ...config, origins };
}
