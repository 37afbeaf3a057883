import type { NodeCommandAnswer, NodeCommandPayload } from '@breakwater/contract';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

type Asked = NodeCommandPayload<'list_stored'>;
type Answer = NodeCommandAnswer<'list_stored'>;

/** nginx puts files into 16 folders with 256 each, by the end of their names. */
const foldersOfDisk = 16 * 256;
const storedName = /^[0-9a-f]{32}$/;
/** `ngx_http_file_cache_header_t`, after which the key stands on a line of its own. */
const headBytes = 336;
const readBytes = headBytes + 8192;
/** Of an answer to the control plane. */
const charactersMax = 1_000_000;

/**
 * What lies in the cache of one site under paths that match, one folder after the other: some milliseconds for a hundred files, in the
 * agent, and nothing of it in nginx. What is stored meanwhile may be left out.
 */
export async function listStored(disks: readonly string[], asked: Asked): Promise<Answer> {
  const until = performance.now() + asked.seconds * 1000;
  const [place, name] = placeOf(asked.after);
  const urls = new Set<string>();
  let characters = 0;
  const all = disks.length * foldersOfDisk;
  for (let index = place; index < all; index++) {
    for (const file of await filesOf(disks, index)) {
      if (index === place && file <= name) continue;
      const url = urlOf(await keyOf(join(folderOf(disks, index), file)), asked);
      if (url !== undefined && !urls.has(url)) {
        urls.add(url);
        characters += url.length;
      }
      if (urls.size >= asked.most || characters > charactersMax || performance.now() > until)
        return { urls: [...urls], after: `${index}:${file}`, share: index / all };
    }
    if (performance.now() > until) return { urls: [...urls], after: `${index}:g`, share: index / all };
  }
  return { urls: [...urls], after: null, share: 1 };
}

function placeOf(after: string): [number, string] {
  const [, index, name = ''] = /^(\d{1,9}):(\w*)$/.exec(after) ?? [];
  return [Number(index ?? 0), name];
}

function folderOf(disks: readonly string[], index: number): string {
  const place = index % foldersOfDisk;
  const disk = disks[Math.floor(index / foldersOfDisk)]!;
  return join(disk, (place >> 8).toString(16), (place & 255).toString(16).padStart(2, '0'));
}

async function filesOf(disks: readonly string[], index: number): Promise<string[]> {
  const names = await readdir(folderOf(disks, index)).catch(() => []);
  return names.filter((name) => storedName.test(name)).toSorted();
}

/** Nothing of a file that is gone, or is no answer. */
async function keyOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (!file) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(readBytes), 0, readBytes, 0);
    const [, key] = /^\nKEY: (.*)\n/.exec(buffer.toString('latin1', headBytes, bytesRead)) ?? [];
    return key ?? '';
  } catch {
    return '';
  } finally {
    await file.close();
  }
}

/** As `packages/edge/lua/front/cache-key.ts` writes it: the name of the counters, the site, the address, and what else there is. */
function urlOf(key: string, { site_id, pattern }: Asked): string | undefined {
  const [, siteId, origin, target] = /^\w+ (\d+) (https?:\/\/[^/ ]+)([!-~]+)/.exec(key) ?? [];
  if (siteId !== String(site_id) || origin === undefined || target === undefined) return undefined;
  const url = origin + target;
  return url.length <= 4096 && matchPattern(target, pattern, false) ? url : undefined;
}
