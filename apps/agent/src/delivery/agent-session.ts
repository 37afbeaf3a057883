export interface SessionCall {
  session: string;
  /** Of the call within its session. */
  count: number;
}

/** A session that the control plane does not know so soon was opened at another of its processes than the next call came to. */
const soonMilliseconds = 30_000;
const soonMax = 3;
/** So long calls are signed one by one where sessions do not hold, or cannot be opened. */
const withoutMilliseconds = 300_000;
const retryMilliseconds = 10_000;

/**
 * The session in which an agent signs its calls: opened before the first one that wants it, anew when four fifths of its time are
 * over, and done without where the control plane has none: an older one, or several processes behind a balancer that does not
 * hold a node to one of them.
 */
export class AgentSession {
  readonly #open: () => Promise<{ session: string; seconds: number }>;
  #current: { session: string; openedAt: number; renewAt: number; count: number } | undefined;
  #opening: Promise<void> | undefined;
  #pausedUntil = 0;
  #endedSoon = 0;
  /** How many were ended by a refusal. */
  ends = 0;

  constructor(open: () => Promise<{ session: string; seconds: number }>) {
    this.#open = open;
  }

  /** Resolves when there is one, or none can be had; does not fail. */
  async ready(now = performance.now()): Promise<void> {
    if (this.#current !== undefined && now >= this.#current.renewAt) this.#current = undefined;
    if (this.#current !== undefined || now < this.#pausedUntil) return;
    this.#opening ??= this.#begin(now).finally(() => (this.#opening = undefined));
    await this.#opening;
  }

  async #begin(now: number): Promise<void> {
    try {
      const { session, seconds } = await this.#open();
      this.#current = { session, openedAt: now, renewAt: now + seconds * 800, count: 0 };
    } catch (error) {
      const isUnknown = (error as { status?: unknown }).status === 404;
      this.#pausedUntil = now + (isUnknown ? withoutMilliseconds : retryMilliseconds);
    }
  }

  /** Of the next call; undefined where it is signed by itself. */
  next(): SessionCall | undefined {
    if (this.#current === undefined) return undefined;
    this.#current.count += 1;
    return { session: this.#current.session, count: this.#current.count };
  }

  get id(): string | undefined {
    return this.#current?.session;
  }

  /** A call was refused within this session: it is over, if another has not followed it already. */
  end(session: string, now = performance.now()): void {
    const ended = this.#current;
    if (ended?.session !== session) return;
    this.#current = undefined;
    this.ends += 1;
    this.#endedSoon = now - ended.openedAt < soonMilliseconds ? this.#endedSoon + 1 : 0;
    if (this.#endedSoon < soonMax) return;
    this.#endedSoon = 0;
    this.#pausedUntil = now + withoutMilliseconds;
  }
}
