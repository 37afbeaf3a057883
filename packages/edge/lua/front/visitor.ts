import {
  chooseAddress,
  type AddressRule,
  type ClientAddress,
} from '@breakwater/policy/address/client-address';
import { parseAddress, visitorKey } from '@breakwater/policy/address/ip';

/** The visitor's address by the site's setting, for everything that comes after: limits, log, what the origin is told. */
export function noteVisitor(rule: AddressRule): void {
  const variables = ngx.var;
  const socket = variables.remote_addr!;
  const { address } = chooseVisitor(rule);
  variables.client_addr = address;
  // What else came as `X-Forwarded-For` may be anyone's word; the visitor and the peer are known.
  if (address !== socket) variables.client_chain = `${address}, ${socket}`;
}

export function chooseVisitor(rule: AddressRule): ClientAddress {
  const seen: Record<string, string> = {};
  if (rule.headers.length > 0) {
    // All of them: with a limit, many lines of a visitor's could push out the one that a proxy adds at the end.
    const headers = ngx.req.get_headers(0);
    for (const name of rule.headers) {
      const value = headers[name];
      if (value !== undefined) seen[name] = joined(value);
    }
  }
  const variables = ngx.var;
  return chooseAddress(rule, {
    socket: variables.remote_addr!,
    proxied: variables.proxy_protocol_addr!,
    headers: seen,
  });
}

/** The lines of one field as one list (RFC 9110 §5.3). */
export function joined(value: string | boolean | (string | boolean)[]): string {
  if (type(value) === 'table') {
    const lines: string[] = [];
    for (const line of value as (string | boolean)[]) lines.push(joined(line));
    return table.concat(lines, ', ');
  }
  // A field without a value comes as true.
  return type(value) === 'string' ? (value as string) : '';
}

const visitorsMax = 10_000;
let visitors: Record<string, string> = {};
let visitorsHeld = 0;

/** Who counts as one: an address, and of IPv6 its /64. */
export function visitorOf(text: string): string {
  const known = visitors[text];
  if (known !== undefined) return known;
  if (visitorsHeld >= visitorsMax) {
    visitors = {};
    visitorsHeld = 0;
  }
  const address = parseAddress(text);
  visitors[text] = address === undefined ? text : visitorKey(address);
  visitorsHeld += 1;
  return visitors[text];
}
