import { dropDeadWorkers } from './active.ts';
import { noteBrotli } from './compress.ts';
import { nameConfiguration } from './configuration.ts';
import { noteDirectedSites } from './directed-sites.ts';
import { setKeptBytesMax } from './kept-size.ts';
import { registerWorker } from './counters.ts';
import { loadFromDisk } from './load.ts';
import { setOriginGuard } from './origin-guard.ts';
import { replaceReads } from './reads.ts';
import { setCacheFolder } from './stored-answer.ts';

/** What nginx.conf calls, one function for each phase. */
export { showAddressTest } from './address-test.ts';
export { waitForAnother } from './collapse.ts';
export { control } from './control.ts';
export { balance, fetchAccess, fetchDone } from './ask.ts';
export { escapedPath } from './directed-sites.ts';
export { fetchBody, fetchHeaders, partHeaders } from './fetch.ts';
export { extraHeaders, front, frontAtExtraPort, frontHeaders, sliceHeaders, wholeHeaders } from './front.ts';
export { callAccess, callDone, callHeaders } from './call.ts';
export { limit, release } from './limits.ts';
export { pace } from './pace.ts';
export { showCallFailure, showOriginFailure, showPage } from './pages.ts';
export { chooseCertificate, greet } from './tls.ts';

/** Which origins may be asked, and how much of an answer without end is kept; before `start`. */
export function setOriginRules(privateOrigins: boolean, ownAddresses: string, keptBytesMax: number): void {
  setOriginGuard(privateOrigins, ownAddresses);
  setKeptBytesMax(keptBytesMax);
}

/** In the master, before there are workers, and again in a new one's place at each reload. */
export function start(edgeDir: string, configuration: string, hasBrotli: boolean, sites: string): void {
  replaceReads();
  noteDirectedSites(sites);
  noteBrotli(hasBrotli);
  nameConfiguration(configuration);
  setCacheFolder(edgeDir);
  loadFromDisk(edgeDir);
}

/** In each worker. They must not all choose the same origins in the same order. */
export function startWorker(): void {
  math.randomseed(ngx.now() * 1000 + ngx.worker.pid());
  dropDeadWorkers();
  registerWorker();
}
