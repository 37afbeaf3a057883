import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShieldConf } from '../nginx/shield.ts';

/** What a node is on the hop to a shield and from other nodes, in PEM. `port`: where it is asked, as a shield. */
export interface ShieldIdentity {
  authority: string;
  certificate: string;
  key: string;
  port?: number;
}

const folderOf = (edgeDir: string): string => join(edgeDir, 'conf/shield');

/** Puts it where nginx reads it. By its hash: what has a name never has another content. */
export async function writeShieldFiles(
  edgeDir: string,
  identity: ShieldIdentity | undefined,
): Promise<ShieldConf | undefined> {
  if (identity === undefined) return undefined;
  await mkdir(folderOf(edgeDir), { recursive: true, mode: 0o700 });
  const write = async (text: string, ending: string) => {
    const name = `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.${ending}`;
    await writeFile(join(folderOf(edgeDir), name), text, { mode: 0o600 });
    return name;
  };
  const [authority, certificate, key] = await Promise.all([
    write(identity.authority, 'crt'),
    write(identity.certificate, 'crt'),
    write(identity.key, 'key'),
  ]);
  return { authority, certificate, key, ...(identity.port === undefined ? {} : { port: identity.port }) };
}

export async function removeShieldFiles(edgeDir: string, but: ShieldConf | undefined): Promise<void> {
  const kept = but === undefined ? [] : [but.authority, but.certificate, but.key];
  for (const name of await readdir(folderOf(edgeDir)).catch(() => []))
    if (!kept.includes(name)) await rm(join(folderOf(edgeDir), name), { force: true });
}
