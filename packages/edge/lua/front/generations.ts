import * as ffi from 'ffi';

ffi.cdef(`
int open(const char *path, int flags);
int close(int file);
int posix_fallocate(int file, int64_t offset, int64_t length);
`);

/**
 * Which answers are no longer good. A target has a counter, which is part of its cache key once it is not 0; to count
 * it up makes everything stored under the old key unreachable, at once for all workers, with no look at the disk. What
 * was asked for before and arrives after is stored under the old key, so there is no race to lose.
 *
 * Folders, tags and sites have counters as well. The sum of all that a target is under is in its key: none ever goes down, so
 * the sum is another after each change.
 *
 * A refresh that lets what is stored be asked about (`mode: revalidate`) counts up others, which stand in the key beside these
 * (`cache-key.ts`): what is stored under the same sum of the first and a lower one of the second may be given once its origin has said
 * that it is still good (`fetch/revalidation.ts`), and what is under another sum of the first may not.
 *
 * Tables of a fixed size hold the counters: targets share one where their hashes agree, which costs one a needless
 * miss and never a wrong answer, and so do folders; sites stand by their numbers. So nothing is ever pushed out. The cache
 * outlives nginx, so the tables are a file, mapped by all workers. Its random name is in every key: where the file is
 * lost, everything stored is out of reach.
 */
const buckets = 2 ** 20;
const bytesPerBucket = 4;
const headBytes = 4096;
const idLength = 8;
/** Targets; then of each site its counter, and how often a folder of it was counted up; then folders. */
const siteCounters = buckets;
const folderMarks = 2 * buckets;
const folderCounters = 3 * buckets;
/** Tags of sites; of each site how often one of them was counted up; then the sets of tags that targets were seen with. */
export const tagCounters = 4 * buckets;
export const tagMarks = 5 * buckets;
/** How often any tag of any site was counted up. It stands where no site has its mark: their numbers begin with 1. */
export const tagVersion = tagMarks;
export const tagSets = 6 * buckets;
export const tagSetCount = 2 ** 18;
export const tagSetWords = 32;
const formerBytes = headBytes + (6 * buckets + tagSetCount * tagSetWords) * bytesPerBucket;
/** How far from each counter its other stands, which counts what is asked about: of targets, sites, folders and tags. */
export const asked = 6 * buckets + tagSetCount * tagSetWords;
/** From a counter of what is gone to itself. */
export const gone = 0;
/** Of each site, whether anything of it was ever to be asked about. */
const askedMarks = asked + 6 * buckets;
const sizeBytes = headBytes + (askedMarks + buckets) * bytesPerBucket;
/** A reload by another release finds its own mapping alone. */
const addressName = `generations_address_${sizeBytes}`;

/** Of `open` and `mmap`, as Linux numbers them. */
const readWrite = 2;
const protection = 3;
const shared = 1;

const documents = ngx.shared.edge_documents;
let counters: ffi.Numbers;
let id = '';

/** To be called in the master, whose workers inherit the mapping; after a reload it is found again by its address. */
export function mapGenerations(path: string): void {
  let address = documents.get(addressName) as number | undefined;
  if (address === undefined) {
    const bytes = bytesOf(path);
    if (bytes !== sizeBytes) {
      // Of the release before, or on its way from there: what was counted so far stays where it stands.
      if (bytes >= formerBytes && bytes < sizeBytes) reserve(path);
      else create(path);
    }
    const file = ffi.C.open(path, readWrite);
    const mapped = ffi.C.mmap(undefined, sizeBytes, protection, shared, file, 0);
    ffi.C.close(file);
    address = tonumber(ffi.cast('intptr_t', mapped))!;
    // MAP_FAILED. Without the table the edge would serve what was declared out of date.
    if (address === -1) error(`${path} cannot be mapped`);
    documents.set(addressName, address);
  }
  const start = ffi.cast('uintptr_t', address);
  id = ffi.string(ffi.cast('char *', start), idLength);
  counters = ffi.cast('uint32_t *', ffi.cast('uintptr_t', address + headBytes)) as unknown as ffi.Numbers;
}

/** All counters, for those who know where theirs stand. */
export function allCounters(): ffi.Numbers {
  return counters;
}

/** What every cache key begins with: another file, another name. */
export function generationsId(): string {
  return id;
}

/** The counter of a target; keyed by the secret name, so that nobody can choose whose it shares. */
export function bucketOf(text: string): number {
  const hash = ngx.md5_bin(id + text);
  return (string.byte(hash, 1) * 256 + string.byte(hash, 2)) * 16 + (string.byte(hash, 3) % 16);
}

/** Here and below, `kind` is `gone` or `asked`: which of the two counters. */
export function generationOf(bucket: number, kind: number): number {
  return counters[(bucket + kind) as 0];
}

/** The counter of everything stands where no site has its own: their numbers begin with 1. */
export const everything = 0;

/** Where the counters of a site stand. */
export function siteSlot(siteKey: string): number {
  return (tonumber(siteKey) ?? 0) % buckets;
}

export function generationOfSite(slot: number, kind: number): number {
  return counters[(siteCounters + slot + kind) as 0];
}

/** Whether a folder of the site was ever counted up: of most sites none was, and nobody need look at them. */
export function hasOldFolders(slot: number, kind: number): boolean {
  return counters[(folderMarks + slot + kind) as 0] !== 0;
}

export function generationOfFolder(bucket: number, kind: number): number {
  return counters[(folderCounters + bucket + kind) as 0];
}

/** Most sites have nothing that is to be asked about, and nobody need look further. */
export function hasAsked(slot: number): boolean {
  return counters[(askedMarks + slot) as 0] !== 0;
}

/** After the counters: a mark without them says nothing. */
export function markAsked(slot: number): void {
  invalidate(askedMarks + slot, gone);
}

export function invalidateSite(slot: number, kind: number): void {
  invalidate(siteCounters + slot, kind);
}

/** The folder first: a mark without its folder says nothing. */
export function invalidateFolder(slot: number, bucket: number, kind: number): void {
  invalidate(folderCounters + bucket, kind);
  invalidate(folderMarks + slot, kind);
}

/** Two workers at once may count one up by one: both changed it, which is all that matters. */
export function invalidate(bucket: number, kind: number): void {
  counters[(bucket + kind) as 0] = counters[(bucket + kind) as 0] + 1;
}

function bytesOf(path: string): number {
  const [file] = io.open(path, 'rb');
  if (file === undefined) return 0;
  const [size] = file.seek('end');
  file.close();
  return size ?? 0;
}

/** Whole or not at all: written aside, then renamed. */
function create(path: string): void {
  const [random] = io.open('/dev/urandom', 'rb');
  const [name] = string.gsub(random!.read(idLength / 2)!, '.', (byte: string) =>
    string.format('%02x', string.byte(byte)),
  );
  random!.close();
  const aside = `${path}.new`;
  const [file, problem] = io.open(aside, 'wb');
  if (file === undefined) error(`${aside}: ${problem ?? ''}`);
  file.write(name);
  file.close();
  reserve(aside);
  os.rename(aside, path);
}

/** All of its room at once: on a full disk a page that is written later would end the worker. */
function reserve(path: string): void {
  const descriptor = ffi.C.open(path, readWrite);
  const failure = ffi.C.posix_fallocate(descriptor, 0, sizeBytes);
  ffi.C.close(descriptor);
  if (failure !== 0) error(`${path}: no room for ${sizeBytes} bytes (error ${failure})`);
}
