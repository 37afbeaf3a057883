import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replaceFile } from '../durable-file.ts';
import type { EdgeControl } from './edge-control.ts';

const keysFile = z.array(z.string());

/**
 * Hands nginx the keys of browsers' passes that the control plane gives the nodes of a line group, and again to an nginx that was
 * started anew: with those it had last where the control plane is away.
 */
export class PassKeyKeeper {
  readonly #path: string;
  readonly #control: EdgeControl;
  #kept: string[] | undefined;

  constructor(path: string, control: EdgeControl) {
    this.#path = path;
    this.#control = control;
  }

  async tellAgain(): Promise<void> {
    const text = this.#kept === undefined ? await readFile(this.#path, 'utf8').catch(() => '[]') : '';
    this.#kept ??= keysFile.safeParse(JSON.parse(text || '[]')).data ?? [];
    if (this.#kept.length > 0) await this.#control.putPassKeys(this.#kept);
  }

  /** Absent where the control plane is older: then those of before stay. */
  async keep(keys: string[] | undefined): Promise<void> {
    if (keys === undefined || JSON.stringify(keys) === JSON.stringify(this.#kept)) return;
    await this.#control.putPassKeys(keys);
    await replaceFile(this.#path, JSON.stringify(keys), 0o600);
    this.#kept = keys;
  }
}
