/** How finely work is spread over time. */
export const slotMilliseconds = 100;

/** What is due when, by slots of 0.1 s: putting in and taking out cost the same however much waits. */
export class DueList<Item> {
  readonly #slots = new Map<number, Item[]>();
  #next: number;

  constructor(now: number) {
    this.#next = slotOf(now);
  }

  /** A time that is over is due at once. */
  add(item: Item, dueAt: number): void {
    const slot = Math.max(this.#next, slotOf(dueAt));
    const items = this.#slots.get(slot);
    if (items) items.push(item);
    else this.#slots.set(slot, [item]);
  }

  /** Takes out all that is due, oldest first. */
  take(now: number): Item[] {
    const due: Item[] = [];
    for (; this.#next <= slotOf(now); this.#next++) {
      due.push(...(this.#slots.get(this.#next) ?? []));
      this.#slots.delete(this.#next);
    }
    return due;
  }
}

const slotOf = (milliseconds: number): number => Math.floor(milliseconds / slotMilliseconds);
