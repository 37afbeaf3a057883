import type { DocumentEnvelope } from '@breakwater/contract/edge-document';
import * as ffi from 'ffi';
import { applyEnvelope } from './apply.ts';
import { bumpEpoch, mapEpoch } from './epoch.ts';
import { mapGenerations } from '../front/generations.ts';
import { decodeJson } from '../lib/json.ts';
import { putResolved } from '../fetch/resolved.ts';
import { mapBans } from '../protect/ban-store.ts';
import { isLoaded, setInstanceId } from './store.ts';

ffi.cdef(`
typedef struct edge_folder edge_folder;
struct edge_entry { uint64_t d_ino; int64_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
edge_folder *opendir(const char *name);
struct edge_entry *readdir(edge_folder *folder);
int closedir(edge_folder *folder);
`);

/** Loads what the agent left on disk, so that a node serves without it. A reload finds the shared memory filled and does nothing. */
export function loadFromDisk(edgeDir: string): void {
  mapEpoch();
  mapBans();
  mapGenerations(`${edgeDir}/cache-generations`);
  if (isLoaded()) return;
  bumpEpoch();
  setInstanceId(randomHex(16));
  const addresses = readFile(`${edgeDir}/resolved.json`);
  if (addresses !== undefined) {
    const [resolved] = decodeJson(addresses);
    if (resolved !== undefined) putResolved(resolved as Record<string, string[]>);
  }
  for (const kind of [
    'certificate',
    'level',
    'address_list',
    'ip_data',
    'known_vulnerability',
    'captcha_account',
    'site',
    'refresh',
    'acme_challenge',
    'ban_setting',
    'ban',
  ]) {
    const folder = `${edgeDir}/documents/${kind}`;
    for (const name of listFolder(folder)) loadDocument(`${folder}/${name}`);
  }
  // What the parsing left behind would be copied into every worker.
  collectgarbage();
}

function randomHex(bytes: number): string {
  const [file] = io.open('/dev/urandom', 'rb');
  const [hex] = string.gsub(file!.read(bytes)!, '.', (byte: string) =>
    string.format('%02x', string.byte(byte)),
  );
  file!.close();
  return hex;
}

function loadDocument(path: string): void {
  const text = readFile(path);
  if (text === undefined) return;
  const [envelope, unreadable] = decodeJson(text);
  const problem = unreadable ?? applyEnvelope(envelope as DocumentEnvelope, true).error;
  if (problem !== undefined) ngx.log(ngx.ERR, path, ' is not served: ', problem);
}

function readFile(path: string): string | undefined {
  const [file] = io.open(path, 'rb');
  if (file === undefined) return undefined;
  const text = file.read('*a');
  file.close();
  return text;
}

/** The names of a folder that end in `.json`; none where there is no such folder. */
function listFolder(path: string): string[] {
  const names: string[] = [];
  const folder = ffi.C.opendir(path);
  if (folder === undefined) return names;
  let entry = ffi.C.readdir(folder);
  while (entry !== undefined) {
    const name = ffi.string(entry.d_name);
    if (name.endsWith('.json')) names.push(name);
    entry = ffi.C.readdir(folder);
  }
  ffi.C.closedir(folder);
  return names;
}
