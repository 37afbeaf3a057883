import type { EdgeControl } from './edge-control.ts';

/** Hands nginx the key that links of the control plane are signed with, and again to an nginx that was started anew. */
export class LinkKeyKeeper {
  readonly #control: EdgeControl;
  #told = '';

  constructor(control: EdgeControl) {
    this.#control = control;
  }

  /** `instanceId`: which nginx runs; empty while none does. */
  async keep(key: string | undefined, instanceId: string): Promise<void> {
    const wanted = `${instanceId} ${key}`;
    if (key === undefined || instanceId === '' || wanted === this.#told) return;
    await this.#control.putLinkKey(key);
    this.#told = wanted;
  }
}
