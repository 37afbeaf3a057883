import { randomBytes } from 'node:crypto';

/**
 * Sessions of nodes at this server process: docs/decisions/0028. They live here and nowhere else, so that a call which was seen
 * once can be known again without a row; where the process ends they end with it, and nodes open others.
 */

/** Seconds for which a session may be used. */
export const sessionSeconds = 300;
/** A call that was overtaken by so many others is no longer taken (RFC 4303 §3.4.3, RFC 6479). */
const windowSize = 1024;
/** Of one node; its agent has one, or two while it opens the next. */
const sessionsPerNode = 4;

export interface NodeSession {
  id: string;
  nodeId: number;
  /** As the secret is stored: once it is another, the session is over. */
  sealedSecret: string;
  endsAt: number;
  seen: SeenCounts;
}

/** Which numbers of calls were used, of the last ones. */
export class SeenCounts {
  #highest = 0;
  readonly #words = new Uint32Array(windowSize / 32);

  /** Whether the number was not used before; it is from now on. */
  take(count: number): boolean {
    if (!Number.isSafeInteger(count) || count < 1 || count <= this.#highest - windowSize) return false;
    if (count > this.#highest) {
      const from = Math.max(this.#highest + 1, count - windowSize + 1);
      for (let each = from; each <= count; each++) this.#words[wordOf(each)]! &= ~bitOf(each);
      this.#highest = count;
    } else if ((this.#words[wordOf(count)]! & bitOf(count)) !== 0) return false;
    this.#words[wordOf(count)]! |= bitOf(count);
    return true;
  }
}
const wordOf = (count: number) => Math.floor((count % windowSize) / 32);
const bitOf = (count: number) => 1 << (count % 32);

export class NodeSessions {
  readonly #sessions = new Map<string, NodeSession>();

  open(nodeId: number, sealedSecret: string, now = performance.now()): NodeSession {
    const own: string[] = [];
    // In the order in which they were opened: those that are over come first.
    for (const [id, session] of this.#sessions)
      if (session.endsAt <= now) this.#sessions.delete(id);
      else if (session.nodeId === nodeId) own.push(id);
    for (const id of own.slice(0, Math.max(0, own.length - sessionsPerNode + 1))) this.#sessions.delete(id);
    const id = randomBytes(16).toString('hex');
    const session = { id, nodeId, sealedSecret, endsAt: now + sessionSeconds * 1000, seen: new SeenCounts() };
    this.#sessions.set(id, session);
    return session;
  }

  find(id: string, now = performance.now()): NodeSession | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && session.endsAt > now ? session : undefined;
  }
}
