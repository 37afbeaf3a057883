import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { errors } from '@breakwater/contract';
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import { ControlPlaneError, type ControlPlane } from '../delivery/control-plane.ts';
import { withTimesOf } from '../clock.ts';
import { maskerOf } from './log-mask.ts';
import { LogFiles, type LogFile, type LogFilesOptions } from './log-files.ts';

export interface LogShipperOptions extends LogFilesOptions {
  controlPlane: ControlPlane;
  /** Between two looks at the log; lines of that time travel together. */
  pauseMilliseconds?: number;
}

const gzipAsync = promisify(gzip);
const batchBytesMax = 4 * 1024 * 1024;
/** After as many batches the files are looked after again: the log goes on growing during a long catch-up. */
const batchesPerTurn = 8;

/**
 * Ships the access log to the control plane, oldest lines first, in gzip batches of whole lines. What is stored is
 * known by the control plane alone: after any restart the agent asks it, and goes on from there.
 */
export class LogShipper {
  readonly #controlPlane: ControlPlane;
  readonly #logger: Logger;
  readonly #files: LogFiles;
  readonly #pauseMilliseconds: number;
  #masked: string[] | undefined;
  #mask: (lines: Buffer) => Buffer = (lines) => lines;

  constructor(options: LogShipperOptions) {
    this.#controlPlane = options.controlPlane;
    this.#logger = options.logger;
    this.#files = new LogFiles(options);
    this.#pauseMilliseconds = options.pauseMilliseconds ?? 500;
  }

  /** Arguments of URLs whose values leave this node as asterisks. Until it is told, nothing is shipped. */
  mask(names: readonly string[]): void {
    if (this.#masked?.join() === names.join()) return;
    this.#masked = [...names];
    this.#mask = maskerOf(names);
  }

  /** Bytes not yet acknowledged. */
  get backlogBytes(): number {
    return this.#files.backlogBytes;
  }

  /** Bytes given up since the start, because the backlog grew beyond its limit. */
  get droppedBytes(): number {
    return this.#files.droppedBytes;
  }

  /** The log files that are there, oldest first. */
  files(): Promise<LogFile[]> {
    return this.#files.list();
  }

  /** Whole lines of a file as they may leave this node, and how many bytes of it; undefined until that is known. */
  async linesOf(file: LogFile, position: number): Promise<{ lines: Buffer; bytes: number } | undefined> {
    if (!this.#masked) return undefined;
    const lines = await readLines(file.path, position, file.inode);
    return { lines: this.#shown(lines), bytes: lines.length };
  }

  #shown(lines: Buffer): Buffer {
    return withTimesOf(this.#mask(lines), this.#controlPlane.clock.aheadMilliseconds);
  }

  /** Looks what there is. */
  load(): Promise<void> {
    return this.#files.lookAfter();
  }

  /** Runs until the signal aborts. Rotation and the limit of the backlog go on while the control plane is away. */
  async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    let retryAt = 0;
    // What is stored already is not to be given up as waiting; while nobody says, all of it may wait.
    await this.#askPositions().catch(() => undefined);
    while (!signal.aborted) {
      let more = false;
      try {
        await this.#files.lookAfter();
        await this.#files.limitBacklog();
        if (this.#masked && performance.now() >= retryAt) {
          more = await this.#shipTurn(signal);
          backoff.reset();
        }
      } catch (error) {
        retryAt = performance.now() + backoff.nextMilliseconds();
        if (!signal.aborted)
          this.#logger.warn(
            { err: error, backlogBytes: this.backlogBytes },
            'access log not shipped; trying again',
          );
      }
      if (!more) await pause(this.#pauseMilliseconds, signal);
    }
  }

  /** Returns whether there was more than one turn ships. */
  async #shipTurn(signal: AbortSignal): Promise<boolean> {
    let left = batchesPerTurn;
    for (const file of await this.#files.list()) {
      while (!signal.aborted) {
        if (left === 0) return true;
        if (!(await this.#shipBatch(file))) break;
        left -= 1;
      }
    }
    return false;
  }

  async #askPositions(): Promise<void> {
    for (const file of await this.#files.list()) await this.#positionOf(file);
  }

  async #positionOf(file: LogFile): Promise<number> {
    const known = this.#files.positionOf(file);
    if (known !== undefined) return known;
    const position = await this.#controlPlane.logPosition(file.name);
    this.#files.setPosition(file, position);
    return position;
  }

  /** Returns false when the file holds no further whole line. */
  async #shipBatch(file: LogFile): Promise<boolean> {
    const position = await this.#positionOf(file);
    const lines = await readLines(file.path, position, file.inode);
    if (lines.length === 0) return false;
    const reached = await this.#send(file, position, lines);
    if (reached === position)
      throw new Error(`the control plane stored nothing of ${file.name} from byte ${position} on`);
    this.#files.setPosition(file, reached);
    return true;
  }

  async #send(file: LogFile, position: number, lines: Buffer): Promise<number> {
    const shown = this.#shown(lines);
    try {
      return await this.#controlPlane.shipLogs(file.name, position, await gzipAsync(shown, { level: 3 }));
    } catch (error) {
      if (!(error instanceof ControlPlaneError) || error.code !== errors.log_position.code) throw error;
      const stored = await this.#controlPlane.logPosition(file.name);
      this.#logger.warn(
        { file: file.name, position, stored },
        'the control plane has another log position; going there',
      );
      return stored;
    }
  }
}

/** Whole lines from a position on, at most one batch; empty when there is none yet, and when the file has the name no more. */
export async function readLines(path: string, position: number, inode?: number): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!file) return Buffer.alloc(0);
  try {
    const { size, ino } = await file.stat();
    if (inode !== undefined && ino !== inode) return Buffer.alloc(0);
    const length = Math.min(batchBytesMax, Math.max(0, size - position));
    if (length === 0) return Buffer.alloc(0);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1);
  } finally {
    await file.close();
  }
}
