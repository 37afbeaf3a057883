import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LogShippingOrder, LogShippingState } from '@breakwater/contract';
import type { Logger } from 'pino';
import * as z from 'zod';
import { Backoff, pause } from '../backoff.ts';
import { replaceFile } from '../durable-file.ts';
import type { LogFile } from './log-files.ts';
import { senderOf, type LogSender } from './log-senders.ts';

export interface LogOutputOptions {
  accessLogPath: string;
  /** Where the kind `file` writes to. */
  folder: string;
  /** The log files that are there, oldest first. */
  files: () => Promise<LogFile[]>;
  /** Whole lines of a file from a position on, as they may leave this node; undefined while that is not known. */
  linesOf: (file: LogFile, position: number) => Promise<{ lines: Buffer; bytes: number } | undefined>;
  logger: Logger;
  pauseMilliseconds?: number;
  /** So long after its last line a renamed file is taken for ended. */
  lateMilliseconds?: number;
}

const positionFile = z.object({ file: z.string(), offset: z.int().min(0) });
type Position = z.infer<typeof positionFile>;
const linesPerBatch = 2000;
/** Receivers often take no more than a megabyte at once. */
const bytesPerBatch = 512 * 1024;

/**
 * Sends the lines of the access log to the operator's own receiver, oldest first, from the files that nginx writes anyway: it
 * never holds nginx up. The position is remembered on disk; what was sent and not yet known to have arrived is sent again.
 */
export class LogOutput {
  readonly #options: LogOutputOptions;
  readonly #path: string;
  #order: LogShippingOrder | undefined;
  #sender: LogSender | undefined;
  /** Up to here all has arrived. */
  #settled: Position | undefined;
  /** Up to here it was sent. */
  #sent: Position | undefined;
  #waiting = 0;
  #linesSent = 0;
  #bytesDropped = 0;
  #error = '';
  readonly #sizes = new Map<string, number>();

  constructor(options: LogOutputOptions) {
    this.#options = options;
    this.#path = join(dirname(options.accessLogPath), 'output.json');
  }

  /** What the control plane wants; undefined or off: nothing is sent, and nothing waits. */
  order(order: LogShippingOrder | undefined): void {
    if (order?.version === this.#order?.version) return;
    this.#sender?.close();
    this.#sender = undefined;
    this.#sent = this.#settled;
    this.#order = order;
    this.#error = '';
  }

  get state(): LogShippingState | undefined {
    if (!this.#order || !this.#isOn) return undefined;
    return {
      version: this.#order.version,
      lines_sent: this.#linesSent,
      bytes_waiting: this.#waiting,
      bytes_dropped: this.#bytesDropped,
      error: this.#error,
    };
  }

  /** Whether a file that nginx has done with has lines that are to be sent yet, as far as is known. */
  holds({ name, size }: LogFile): boolean {
    if (!this.#settled || (this.#order && !this.#isOn)) return false;
    return name > this.#settled.file || (name === this.#settled.file && this.#settled.offset < size);
  }

  async load(): Promise<void> {
    try {
      this.#settled = positionFile.parse(JSON.parse(await readFile(this.#path, 'utf8')));
      this.#sent = this.#settled;
    } catch {
      // None yet, or nothing was to be sent.
    }
  }

  /** Sends one line by itself. Answers what stood against it, or nothing. */
  async test(): Promise<string> {
    const order = this.#order;
    if (!order || !this.#isOn) return 'nothing is to be sent from this node';
    const sender = senderOf(order, this.#options.folder);
    try {
      await sender.send([Buffer.from(JSON.stringify({ time: new Date().toISOString(), test: true }))]);
      return '';
    } catch (error) {
      return reasonOf(error);
    } finally {
      sender.close();
    }
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    let retryAt = 0;
    while (!signal.aborted) {
      let more = false;
      const order = this.#order;
      try {
        if (this.#isOn) await this.#keepWithinLimit();
        else await this.#forget();
        if (this.#isOn && performance.now() >= retryAt) {
          more = await this.#sendSome();
          if (this.#error !== '') this.#options.logger.info('log lines are sent on again');
          this.#error = '';
          backoff.reset();
        }
      } catch (error) {
        // A connection that was ended for another order failed by that.
        if (order === this.#order) {
          this.#fail(error);
          retryAt = performance.now() + backoff.nextMilliseconds();
        }
      }
      if (!more) await pause(this.#options.pauseMilliseconds ?? 500, signal);
    }
    this.#sender?.close();
  }

  get #isOn(): boolean {
    return this.#order !== undefined && this.#order.kind !== 'off';
  }

  /** What comes while nothing is to be sent is not sent later. */
  async #forget(): Promise<void> {
    this.#waiting = 0;
    this.#sizes.clear();
    if (!this.#order || !this.#settled) return;
    this.#settled = undefined;
    this.#sent = undefined;
    await replaceFile(this.#path, '{}');
  }

  #fail(error: unknown): void {
    const reason = reasonOf(error);
    if (this.#error === '') this.#options.logger.warn({ err: error }, 'log lines are not sent; trying on');
    this.#error = reason;
    this.#sender?.close();
    this.#sender = undefined;
    this.#sent = this.#settled;
  }

  /** Returns whether there is more. */
  async #sendSome(): Promise<boolean> {
    const sender = (this.#sender ??= senderOf(this.#order!, this.#options.folder));
    sender.check();
    // What was sent before has arrived: the receiver was there for longer than that.
    await this.#settle();
    const files = await this.#options.files();
    for (const file of files) {
      if (!this.#sent || file.name < this.#sent.file) continue;
      const position = this.#sent.file === file.name ? this.#sent.offset : 0;
      const read = position < file.size ? await this.#options.linesOf(file, position) : undefined;
      if (read && read.bytes > 0) {
        await this.#send(sender, { file: file.name, offset: position }, read.lines);
        return true;
      }
      if (this.#isWrittenStill(file)) return false;
    }
    return false;
  }

  /** A worker of nginx may be late to let go of a file that was renamed: who goes on to the next would miss its lines. */
  #isWrittenStill({ rotated, modifiedAt }: LogFile): boolean {
    return rotated && Math.abs(Date.now() - modifiedAt) < (this.#options.lateMilliseconds ?? 1000);
  }

  /** Part by part, so that what a receiver has taken is not sent again for a later part that it refuses. */
  async #send(sender: LogSender, from: Position, text: Buffer): Promise<void> {
    for (const { lines, end } of partsOf(text, this.#order!.site_ids)) {
      if (lines.length > 0) await sender.send(lines);
      this.#linesSent += lines.length;
      if (sender !== this.#sender) return;
      this.#sent = { file: from.file, offset: from.offset + end };
      if (sender.confirms) await this.#settle();
    }
  }

  async #settle(): Promise<void> {
    if (
      !this.#sent ||
      (this.#sent.file === this.#settled?.file && this.#sent.offset === this.#settled.offset)
    )
      return;
    await this.#settleAt(this.#sent);
  }

  async #settleAt(position: Position): Promise<void> {
    this.#settled = position;
    await replaceFile(this.#path, JSON.stringify(position));
  }

  /** Counts what waits, and gives up the oldest files beyond the limit. */
  async #keepWithinLimit(): Promise<void> {
    const files = await this.#options.files();
    const current = files.at(-1);
    if (!current) return;
    if (!this.#settled) {
      // Begins with what is written from now on.
      await this.#settleAt({ file: current.name, offset: current.size });
      this.#sent = this.#settled;
    }
    this.#countLost(files);
    for (const file of files) this.#sizes.set(file.name, file.size);
    const waiting = files.filter((file) => file === current || this.holds(file));
    this.#waiting = waiting.reduce((sum, file) => sum + this.#waitingIn(file.name, file.size), 0);
    for (const [index, file] of waiting.entries()) {
      if (this.#waiting <= this.#order!.waiting_bytes_max || file === current) return;
      const lost = this.#waitingIn(file.name, file.size);
      this.#waiting -= lost;
      this.#bytesDropped += lost;
      await this.#settleAt({ file: waiting[index + 1]!.name, offset: 0 });
      this.#sent = this.#settled;
      this.#options.logger.error(
        { file: file.name, bytes: lost },
        'log lines LOST to the receiver: more wait than the limit',
      );
    }
  }

  /** Files that went before they were sent, because the control plane's own limit was reached. */
  #countLost(files: readonly LogFile[]): void {
    const there = new Set(files.map(({ name }) => name));
    for (const [name, size] of this.#sizes) {
      if (there.has(name)) continue;
      this.#bytesDropped += this.#waitingIn(name, size);
      this.#sizes.delete(name);
    }
  }

  #waitingIn(name: string, size: number): number {
    if (!this.#settled || name < this.#settled.file) return 0;
    return Math.max(0, size - (name === this.#settled.file ? this.#settled.offset : 0));
  }
}

/** The lines of some sites, or of all, as many as go at once; each part ends where the next begins. */
function* partsOf(text: Buffer, siteIds: readonly number[]): Generator<{ lines: Buffer[]; end: number }> {
  const sites = new Set(siteIds);
  let lines: Buffer[] = [];
  let bytes = 0;
  let start = 0;
  for (let end = text.indexOf(10); end !== -1; end = text.indexOf(10, start)) {
    const line = text.subarray(start, end);
    start = end + 1;
    const site = /"site_id":(\d+)/.exec(line.toString('latin1', 0, 200))?.[1];
    if (sites.size > 0 && !sites.has(Number(site))) continue;
    lines.push(line);
    bytes += line.length;
    if (lines.length < linesPerBatch && bytes < bytesPerBatch) continue;
    yield { lines, end: start };
    lines = [];
    bytes = 0;
  }
  yield { lines, end: start };
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).slice(0, 500);
