/**
 * Keepalive over TLS. nginx tells kept connections apart by address only, but over TLS they also differ in the name that
 * was asked for and in whether the certificate was looked at. So nginx.conf has a number of upstreams, and each belongs
 * to one such identity for as long as it may have a connection open. Each worker has its own connections, and so its own
 * list. Where no upstream is free, a request has a connection of its own.
 */
interface Slot {
  identity: string;
  users: number;
  /** Until when one of its connections may be open unused. */
  idleUntil: number;
}

/** As many as nginx.conf has for each keepalive time. */
const slotsMax = 64;
const slots: Record<string, Slot> = {};
const slotOf: Record<string, string> = {};

/** The upstream for a connection with this identity; to be given back by `releaseSlot`. */
export function takeSlot(seconds: number, identity: string): string {
  if (seconds === 0) return 'origins_https_0';
  const whose = `${seconds} ${identity}`;
  const name = slotOf[whose] ?? freeSlot(seconds, whose);
  if (name === undefined) return 'origins_https_0';
  slots[name]!.users += 1;
  return name;
}

function freeSlot(seconds: number, whose: string): string | undefined {
  const now = ngx.now();
  for (let number = 0; number < slotsMax; number++) {
    const name = `origins_https_${seconds}_${number}`;
    const slot = slots[name];
    if (slot !== undefined && (slot.users > 0 || slot.idleUntil > now)) continue;
    if (slot !== undefined) delete slotOf[slot.identity];
    slots[name] = { identity: whose, users: 0, idleUntil: 0 };
    slotOf[whose] = name;
    return name;
  }
  return undefined;
}

export function releaseSlot(name: string): void {
  const slot = slots[name];
  if (slot === undefined) return;
  slot.users -= 1;
  const [seconds] = string.match(name, '^origins_https_(%d+)_');
  // A second more than nginx keeps it, for its clock is read at other moments.
  slot.idleUntil = ngx.now() + tonumber(seconds)! + 1;
}
