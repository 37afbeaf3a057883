import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import * as z from 'zod';
import { replaceFile } from '../durable-file.ts';

export interface LogFilesOptions {
  accessLogPath: string;
  /** Makes nginx open its log anew after it was renamed. */
  reopenLogs: () => Promise<void>;
  logger: Logger;
  rotateBytes?: number;
  rotateMinutes?: number;
  /** Most that may wait for the control plane; beyond it the oldest file is given up. */
  backlogBytesMax?: number;
  /** How long a renamed file is kept after its last write, for a nginx worker that is late to let go of it. */
  graceMilliseconds?: number;
  /** Whether somebody else has yet to read a file that is stored. */
  isHeld?: (file: LogFile) => boolean;
}

export interface LogFile {
  /** What the control plane knows it by, never used for another file. */
  name: string;
  path: string;
  size: number;
  modifiedAt: number;
  inode: number;
  /** nginx writes to it no more. */
  rotated: boolean;
}

const currentFile = z.object({ name: z.string(), inode: z.number(), startedAt: z.number() });
type Current = z.infer<typeof currentFile>;

const rotatedName = /^access-\d{8}T\d{9}Z-[0-9a-f]{8}\.log$/;
const mebibyte = 1024 * 1024;
/** More is no piece of a line. */
const tornBytesMax = 64 * 1024;
const defaults = {
  rotateBytes: 64 * mebibyte,
  rotateMinutes: 60,
  backlogBytesMax: 2048 * mebibyte,
  graceMilliseconds: 60_000,
  isHeld: () => false,
};

/**
 * The access log and its renamed predecessors. A file gets its name when it is first seen, and that is remembered
 * before a byte of it is shipped; renaming gives it this name on disk too. So a file is known by one name all its
 * life, and a crash between any two steps finds it again.
 */
export class LogFiles {
  readonly #options: Required<LogFilesOptions>;
  readonly #folder: string;
  readonly #memory: string;
  readonly #positions = new Map<string, number>();
  #current: Current | undefined;
  /** The last name that was given. */
  #newest: string | undefined;
  #files: LogFile[] = [];
  #loaded = false;
  droppedBytes = 0;

  constructor(options: LogFilesOptions) {
    this.#options = { ...defaults, ...options };
    this.#folder = dirname(options.accessLogPath);
    this.#memory = join(this.#folder, 'current.json');
  }

  get backlogBytes(): number {
    return this.#files.reduce((sum, file) => sum + this.#waitingBytes(file), 0);
  }

  positionOf({ name }: LogFile): number | undefined {
    return this.#positions.get(name);
  }

  setPosition({ name }: LogFile, position: number): void {
    this.#positions.set(name, position);
  }

  /** Renames what is due, deletes what is stored. Needs no control plane. */
  async lookAfter(): Promise<void> {
    if (!this.#loaded) this.#current = await this.#remembered();
    this.#newest ??= this.#current?.name;
    this.#loaded = true;
    await this.#identify();
    if (this.#current && (await this.#isDue(this.#current))) await this.#rotate(this.#current);
    for (const file of await this.list()) if (await this.#isDone(file)) await this.#remove(file);
  }

  /** Oldest first, the one nginx writes to last. Others may ask while a file is being renamed. */
  async list(): Promise<LogFile[]> {
    const current = this.#current;
    const names = await this.#rotatedNames();
    const files: LogFile[] = [];
    for (const name of names) files.push(...(await describe(name, join(this.#folder, name), true)));
    if (current && !names.includes(current.name)) files.push(...(await this.#describeCurrent(current)));
    this.#files = files;
    return files;
  }

  async #describeCurrent({ name, inode }: Current): Promise<LogFile[]> {
    const found = await describe(name, this.#options.accessLogPath, false);
    // Else it was renamed since the folder was read.
    return found[0]?.inode === inode ? found : describe(name, join(this.#folder, name), true);
  }

  async #rotatedNames(): Promise<string[]> {
    return (await readdir(this.#folder)).filter((name) => rotatedName.test(name)).sort();
  }

  async #remembered(): Promise<Current | undefined> {
    try {
      return currentFile.parse(JSON.parse(await readFile(this.#memory, 'utf8')));
    } catch {
      return undefined;
    }
  }

  /** Gives the file that nginx writes to its name, if it is a new one. */
  async #identify(): Promise<void> {
    const found = await stat(this.#options.accessLogPath).catch(() => undefined);
    if (!found) {
      this.#current = undefined;
      // Renamed, and then the agent died before nginx was told. A nginx that is down makes a new file when it starts.
      if ((await this.#rotatedNames()).length > 0) await this.#options.reopenLogs().catch(() => undefined);
      return;
    }
    const known = this.#current;
    const shrunk = known !== undefined && found.size < (this.#positions.get(known.name) ?? 0);
    if (known?.inode === found.ino && !shrunk) return;
    const current = { name: await this.#newName(), inode: found.ino, startedAt: Date.now() };
    await replaceFile(this.#memory, JSON.stringify(current));
    this.#current = current;
    this.#newest = current.name;
  }

  /** Names are in the order of the files, also after the clock was set back. */
  async #newName(): Promise<string> {
    const known = [...(await this.#rotatedNames()), ...(this.#newest === undefined ? [] : [this.#newest])];
    const time = Math.max(Date.now(), ...known.map((name) => timeOf(name) + 1));
    const stamp = new Date(time).toISOString().replace(/[-:.]/g, '');
    return `access-${stamp}-${randomBytes(4).toString('hex')}.log`;
  }

  async #isDue({ startedAt }: Current): Promise<boolean> {
    const { accessLogPath, rotateBytes, rotateMinutes } = this.#options;
    const { size } = await stat(accessLogPath);
    return size >= rotateBytes || (size > 0 && Date.now() - startedAt >= rotateMinutes * 60_000);
  }

  async #rotate({ name }: Current): Promise<void> {
    await rename(this.#options.accessLogPath, join(this.#folder, name));
    this.#current = undefined;
    await this.#options.reopenLogs().catch(() => undefined);
    await this.#identify();
  }

  /** Stored to its last line, and nobody has written to it for a while. */
  async #isDone(file: LogFile): Promise<boolean> {
    if (this.#options.isHeld(file)) return false;
    if (!file.rotated || Date.now() - file.modifiedAt < this.#options.graceMilliseconds) return false;
    const position = this.#positions.get(file.name);
    if (file.size === 0 || (position !== undefined && position >= file.size)) return true;
    if (position === undefined || file.size - position > tornBytesMax) return false;
    // A line that nginx was killed in the middle of: it will never be whole.
    const torn = !(await readFrom(file.path, position)).includes(0x0a);
    if (torn)
      this.#options.logger.warn(
        { file: file.name, bytes: file.size - position },
        'the log file ends in half a line',
      );
    return torn;
  }

  /** Gives up what is too much. What is stored counts as waiting until its position is set. */
  async limitBacklog(): Promise<void> {
    const { backlogBytesMax, logger } = this.#options;
    for (const file of await this.list()) {
      if (this.backlogBytes <= backlogBytesMax || !file.rotated) return;
      const bytes = this.#waitingBytes(file);
      // Stored, and held for somebody else: the backlog would be no smaller without it.
      if (bytes === 0) continue;
      this.droppedBytes += bytes;
      logger.error(
        { file: file.name, bytes, backlogBytesMax },
        'access log LOST: more waits than the limit, the oldest file is given up',
      );
      await this.#remove(file);
    }
  }

  #waitingBytes({ name, size }: LogFile): number {
    return Math.max(0, size - (this.#positions.get(name) ?? 0));
  }

  async #remove(file: LogFile): Promise<void> {
    await rm(file.path, { force: true });
    this.#positions.delete(file.name);
    this.#files = this.#files.filter(({ name }) => name !== file.name);
  }
}

/** The time in a name. */
const timeOf = (name: string): number =>
  Date.parse(name.replace(/^access-(....)(..)(..)T(..)(..)(..)(...)Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'));

async function readFrom(path: string, position: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tornBytesMax), 0, tornBytesMax, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function describe(name: string, path: string, rotated: boolean): Promise<LogFile[]> {
  const found = await stat(path).catch(() => undefined);
  return found
    ? [{ name, path, size: found.size, modifiedAt: found.mtimeMs, inode: found.ino, rotated }]
    : [];
}
