import { readFile } from 'node:fs/promises';
import type { EdgeProcess } from '@breakwater/edge/process/edge-process';
import * as z from 'zod';
import { replaceFile } from '../durable-file.ts';

const keysFile = z.array(z.string());

/** Keeps nginx at the keys of TLS tickets that the control plane gives the nodes of a line group; it starts with those it had last. */
export class TicketKeyKeeper {
  readonly #path: string;
  readonly #edge: () => EdgeProcess;
  #kept = '[]';

  constructor(path: string, edge: () => EdgeProcess) {
    this.#path = path;
    this.#edge = edge;
  }

  async load(): Promise<string[]> {
    const text = await readFile(this.#path, 'utf8').catch(() => '[]');
    const keys = keysFile.safeParse(JSON.parse(text || '[]')).data ?? [];
    this.#kept = JSON.stringify(keys);
    return keys;
  }

  /** What `load` is to find, before nginx starts. */
  async layOut(keys: readonly string[] | undefined): Promise<void> {
    if (keys !== undefined) await replaceFile(this.#path, JSON.stringify(keys), 0o600);
  }

  /** Absent where the control plane is older: then those of before stay. */
  async keep(keys: readonly string[] | undefined): Promise<void> {
    const wanted = JSON.stringify(keys);
    if (keys === undefined || wanted === this.#kept) return;
    await this.#edge().useTicketKeys(keys);
    await replaceFile(this.#path, wanted, 0o600);
    this.#kept = wanted;
  }
}
