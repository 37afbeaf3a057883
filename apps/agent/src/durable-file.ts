import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Where the next content of a file waits; nginx reads no names that start with a dot. */
const temporaryPath = (path: string): string => join(dirname(path), `.${basename(path)}.tmp`);

/** Writes the next content of a file beside it and forces it to the disk. */
export async function writeTemporary(path: string, text: string, mode: number): Promise<void> {
  const temporary = temporaryPath(path);
  await rm(temporary, { force: true });
  const file = await open(temporary, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Puts the waiting content in place. It survives a power cut once the folder is synchronised. */
export const commitTemporary = (path: string): Promise<void> => rename(temporaryPath(path), path);

export const dropTemporary = (path: string): Promise<void> => rm(temporaryPath(path), { force: true });

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces a file in one step: readers see the old content or the new one. */
export async function replaceFile(path: string, text: string, mode = 0o644): Promise<void> {
  await writeTemporary(path, text, mode);
  await commitTemporary(path);
  await syncFolder(dirname(path));
}
