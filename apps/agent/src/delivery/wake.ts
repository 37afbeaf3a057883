/** Lets one loop sleep until another part has work for it; a call that comes while it works is not lost. */
export class Wake {
  #called = false;
  #resolve: (() => void) | undefined;

  call(): void {
    this.#called = true;
    this.#resolve?.();
  }

  /** Resolves on a call, after the time, or when the signal aborts. */
  async wait(signal: AbortSignal, milliseconds?: number): Promise<void> {
    if (!this.#called && !signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = milliseconds === undefined ? undefined : setTimeout(finish, milliseconds);
        this.#resolve = finish;
        signal.addEventListener('abort', finish, { once: true });
        function finish() {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          resolve();
        }
      });
    this.#resolve = undefined;
    this.#called = false;
  }
}
