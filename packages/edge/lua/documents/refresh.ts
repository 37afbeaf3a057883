import type { RefreshDocument } from '@breakwater/contract/edge-document';
import {
  asked,
  gone,
  invalidate,
  invalidateFolder,
  invalidateSite,
  markAsked,
  siteSlot,
} from '../front/generations.ts';
import { invalidateTag } from '../front/tags.ts';
import { bucketOfTarget, entryOf, folderBucket, rewrittenOf, type HostEntry } from '../site/host.ts';

/** Between which visitors get their turn. */
const targetsAtOnce = 200;

/**
 * What was stored before is no longer served, or not before its origin was asked about it: constant time for each URL, folder, tag and site, whatever lies in the cache. Hosts that
 * are another site's by now are left alone.
 */
export function applyRefresh(refresh: RefreshDocument): void {
  const slot = siteSlot(`${refresh.site_id}`);
  const kind = refresh.mode === 'revalidate' ? asked : gone;
  if (refresh.all === true) invalidateSite(slot, kind);
  for (const tag of refresh.tags ?? []) invalidateTag(`${refresh.site_id}`, slot, tag, kind);
  for (const [host, targets] of pairs(refresh.urls ?? {}))
    forEach(refresh, host, targets, (entry, target) => refreshTarget(entry, slot, target, kind));
  for (const [host, folders] of pairs(refresh.folders ?? {}))
    forEach(refresh, host, folders, (entry, folder) => {
      // What is stored below a folder may have been asked for below another.
      if (entry.site.rewriting === undefined) invalidateFolder(slot, folderBucket(entry, folder), kind);
      else invalidateSite(slot, kind);
    });
  if (kind === asked) markAsked(slot);
}

function forEach(
  { site_id }: RefreshDocument,
  host: string,
  targets: string[],
  visit: (entry: HostEntry, target: string) => void,
): void {
  let done = 0;
  for (const target of targets) {
    const entry = entryOf(host);
    if (entry === undefined || entry.site.key !== `${site_id}`) return;
    visit(entry, target);
    done += 1;
    if (done % targetsAtOnce === 0) ngx.sleep(0);
  }
}

/** It is stored under what rewriting makes of it, by either scheme. */
function refreshTarget(entry: HostEntry, slot: number, target: string, kind: number): void {
  invalidate(bucketOfTarget(entry, target), kind);
  const { rewriting } = entry.site;
  if (rewriting === undefined) return;
  for (const scheme of ['http', 'https']) {
    const rewritten = rewrittenOf(entry, rewriting, scheme, target);
    // What becomes of it hangs on the visitor.
    if (rewritten.isPersonal) return invalidateSite(slot, kind);
    if (rewritten.target !== target) invalidate(bucketOfTarget(entry, rewritten.target), kind);
  }
}
