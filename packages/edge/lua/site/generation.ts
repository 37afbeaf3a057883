import { foldersOf } from '@breakwater/policy/cache/key';
import { splitTarget } from '@breakwater/policy/http/path';
import {
  bucketOf,
  everything,
  generationOf,
  generationOfFolder,
  generationOfSite,
  hasOldFolders,
} from '../front/generations.ts';
import { bucketOfTarget, countKey, targetBytesMax, type HostEntry } from './site.ts';

/** All counters that a target is under; in its key where that is not 0. */
export function generationOfTarget(entry: HostEntry, target: string): number {
  const { slot } = entry.site;
  const own =
    generationOf(bucketOfTarget(entry, target)) + generationOfSite(slot) + generationOfSite(everything);
  return hasOldFolders(slot) ? own + generationOfFolders(entry, target) : own;
}

function generationOfFolders(entry: HostEntry, target: string): number {
  let found = entry.folders?.[target];
  if (found === undefined) {
    found = foldersOf(splitTarget(target).path).map((folder) => folderBucket(entry, folder));
    if (target.length <= targetBytesMax) {
      countKey();
      entry.folders ??= {};
      entry.folders[target] = found;
    }
  }
  let sum = 0;
  for (const bucket of found) sum += generationOfFolder(bucket);
  return sum;
}

export function folderBucket(entry: HostEntry, folder: string): number {
  return bucketOf(`${entry.site.key} ${entry.host}${folder} folder`);
}
