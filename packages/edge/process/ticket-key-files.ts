import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const folderOf = (edgeDir: string): string => join(edgeDir, 'conf/tickets');

/** Puts keys (base64) where nginx reads them, a file each; answers with the files' names in the keys' order. */
export async function writeTicketKeys(edgeDir: string, keys: readonly string[]): Promise<string[]> {
  await mkdir(folderOf(edgeDir), { recursive: true, mode: 0o700 });
  return Promise.all(
    keys.map(async (key) => {
      // By its hash: what has a name never has another content, so nothing need be written aside.
      const name = `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.key`;
      await writeFile(join(folderOf(edgeDir), name), Buffer.from(key, 'base64'), { mode: 0o600 });
      return name;
    }),
  );
}

export async function removeTicketKeys(edgeDir: string, but: readonly string[]): Promise<void> {
  for (const name of await readdir(folderOf(edgeDir)))
    if (!but.includes(name)) await rm(join(folderOf(edgeDir), name), { force: true });
}
