import { open, rename, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { pause } from '../backoff.ts';

export interface ErrorLogOptions {
  path: string;
  /** Makes nginx open its logs anew after one was renamed. */
  reopenLogs: () => Promise<void>;
  logger: Logger;
  rotateBytes?: number;
  checkMilliseconds?: number;
}

const mebibyte = 1024 * 1024;
const newline = 10;

/**
 * nginx's own errors, a line for each request where an origin is down. From a size on the log is renamed in the place of the one
 * before: so there are two files at most, of that size and what nginx writes between two looks.
 */
export class ErrorLog {
  readonly #options: Required<ErrorLogOptions>;
  /** How far the log is counted; before the first look, whatever is there is not. */
  #position: number | undefined;
  /** The rest of what was renamed is still to be counted: nginx wrote on until it let go of it. */
  #isRenamed = false;
  /** Since the agent started. */
  lines = 0;

  constructor(options: ErrorLogOptions) {
    this.#options = { rotateBytes: 16 * mebibyte, checkMilliseconds: 5000, ...options };
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { logger, checkMilliseconds } = this.#options;
    let failing = false;
    while (!signal.aborted) {
      try {
        await this.lookAfter();
        failing = false;
      } catch (error) {
        if (!failing) logger.warn({ err: error }, 'the error log is not rotated; trying on');
        failing = true;
      }
      await pause(checkMilliseconds, signal);
    }
  }

  async lookAfter(): Promise<void> {
    const { path, rotateBytes, reopenLogs } = this.#options;
    if (this.#isRenamed) {
      await this.#count(`${path}.1`);
      this.#isRenamed = false;
      this.#position = 0;
    }
    this.#position ??= await sizeOf(path);
    await this.#count(path);
    if ((await sizeOf(path)) < rotateBytes) return;
    await rename(path, `${path}.1`);
    this.#isRenamed = true;
    await reopenLogs();
  }

  /** The lines that have come since. */
  async #count(path: string): Promise<void> {
    const file = await open(path).catch(() => undefined);
    if (file === undefined) return;
    try {
      const { size } = await file.stat();
      // Somebody has emptied it.
      if (size < this.#position!) this.#position = 0;
      const piece = Buffer.alloc(mebibyte);
      for (;;) {
        const { bytesRead } = await file.read(piece, 0, piece.length, this.#position);
        if (bytesRead === 0) return;
        this.#position! += bytesRead;
        for (let at = piece.indexOf(newline); at >= 0 && at < bytesRead; at = piece.indexOf(newline, at + 1))
          this.lines += 1;
      }
    } finally {
      await file.close();
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
