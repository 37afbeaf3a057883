import * as ffi from 'ffi';

ffi.cdef('void *mmap(void *address, size_t length, int protection, int flags, int file, long offset);');

/** PROT_READ | PROT_WRITE and MAP_SHARED | MAP_ANONYMOUS, as Linux numbers them. */
const readWrite = 3;
const sharedAnonymous = 33;

const documents = ngx.shared.edge_documents;
let counter: ffi.Numbers;

/**
 * Maps the epoch: a number that grows with every change of the documents, in memory that all workers share. Every
 * request reads it; a value of a shared dictionary would cost it a lock and a search. To be called in the master, whose
 * workers inherit the mapping; after a reload it is found again by its address.
 */
export function mapEpoch(): void {
  let address = documents.get('epoch_address') as number | undefined;
  if (address === undefined) {
    address = tonumber(
      ffi.cast('uintptr_t', ffi.C.mmap(undefined, 4096, readWrite, sharedAnonymous, -1, 0)),
    )!;
    documents.set('epoch_address', address);
  }
  counter = ffi.cast('double *', ffi.cast('uintptr_t', address)) as unknown as ffi.Numbers;
}

export function epoch(): number {
  return counter[0];
}

export function bumpEpoch(): void {
  counter[0] = documents.incr('epoch', 1, 0)!;
}

/** How the counts of connections are kept (`lib/counters.ts`): their number, the former one, and since when. */
export interface CountsEpoch {
  now: number;
  former: number;
  since: number;
}

/** Beside the epoch, since every request reads it as well. */
export const countsEpoch = (): number => counter[1];

export const formerCounts = (): CountsEpoch => ({
  now: counter[1],
  former: counter[2 as 0],
  since: counter[3 as 0],
});

/** Whether anything here has asked for visitors' JA4 since this nginx started: handshakes name no site for certain, so it is for all. */
export const isJa4Wanted = (): boolean => counter[4 as 0] === 1;

export function wantJa4(): void {
  counter[4 as 0] = 1;
}

/** `former`: the last counts that were whole. */
export function changeCounts(former: number): void {
  counter[2 as 0] = former;
  counter[3 as 0] = ngx.now();
  counter[1] = documents.incr('counts_epoch', 1, 0)!;
}
