import { open, stat, type FileHandle } from 'node:fs/promises';

/** One reading takes no more than this; what is beyond is passed over. */
const readBytesMax = 16 * 1024 * 1024;
/** A renamed log is read on for so many readings: nginx's workers are late to let go of it. */
const readingsAfterRenaming = 10;

interface OpenLog {
  file: FileHandle;
  inode: number;
  position: number;
  readingsLeft: number;
}

/** What is appended to a log from now on, also when it is renamed and begun anew. Reads beside whoever ships it. */
export class LogTail {
  readonly #path: string;
  /** The one that is written to is the last. */
  #logs: OpenLog[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /** The whole lines since the last reading; `passedOver`: there was more than one reading takes. */
  async read(): Promise<{ lines: string[]; passedOver: boolean }> {
    const first = this.#logs.length === 0;
    await this.#follow(first);
    let lines: string[] = [];
    let passedOver = false;
    for (const log of this.#logs) {
      const more = await readOn(log);
      lines = lines.concat(more.lines);
      passedOver ||= more.passedOver;
    }
    await this.#letGo();
    return { lines, passedOver };
  }

  async close(): Promise<void> {
    const logs = this.#logs;
    this.#logs = [];
    await Promise.all(logs.map(({ file }) => file.close()));
  }

  /** Opens the log that is written to now. The first one is read from its end. */
  async #follow(fromEnd: boolean): Promise<void> {
    const found = await stat(this.#path).catch(() => undefined);
    if (!found || found.ino === this.#logs.at(-1)?.inode) return;
    const file = await open(this.#path, 'r').catch(() => undefined);
    if (!file) return;
    const { ino, size } = await file.stat();
    this.#logs.push({
      file,
      inode: ino,
      position: fromEnd ? size : 0,
      readingsLeft: readingsAfterRenaming,
    });
  }

  async #letGo(): Promise<void> {
    const kept: OpenLog[] = [];
    for (const log of this.#logs) {
      if (log === this.#logs.at(-1) || (log.readingsLeft -= 1) > 0) kept.push(log);
      else await log.file.close();
    }
    this.#logs = kept;
  }
}

async function readOn(log: OpenLog): Promise<{ lines: string[]; passedOver: boolean }> {
  const { size } = await log.file.stat();
  const passedOver = size - log.position > readBytesMax;
  const start = passedOver ? size - readBytesMax : Math.min(log.position, size);
  const { buffer, bytesRead } = await log.file.read(Buffer.alloc(size - start), 0, size - start, start);
  const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
  log.position = start + end;
  return { lines: end > 0 ? buffer.toString('utf8', 0, end - 1).split('\n') : [], passedOver };
}
