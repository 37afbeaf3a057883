import { dropDeadWorkers } from './lib/active.ts';
import { noteBrotli } from './fetch/compress.ts';
import { nameConfiguration, nameNode } from './control/configuration.ts';
import { noteDirectedSites } from './site/directed-sites.ts';
import { setKeptBytesMax } from './fetch/kept-size.ts';
import { release as releaseHeld } from './front/limits.ts';
import { endSample } from './front/sample.ts';
import { endSubmission } from './front/submission.ts';
import { registerWorker } from './lib/counters.ts';
import { setCaptchaSocket } from './protect/captcha.ts';
import { setJudgeFolder } from './protect/judge.ts';
import { countAnswer, judgePlaces } from './protect/guard-answers.ts';
import { loadFromDisk } from './documents/load.ts';
import { setOriginGuard } from './fetch/origin-guard.ts';
import { setRoom } from './fetch/room.ts';
import { setShields } from './hop/shields.ts';
import { replaceReads } from './lib/reads.ts';
import { setContentWindow } from './lib/content-rate.ts';
import { setCacheFolders } from './lib/cache-file.ts';

/** What nginx.conf calls, one function for each phase. */
export { showOwnPage } from './pages/own-page.ts';
export { waitForAnother } from './fetch/collapse.ts';
export { control } from './control/control.ts';
export { endWorker } from './lib/counters.ts';
export { balance, fetchAccess, fetchDone } from './fetch/ask.ts';
export { escapedPath } from './site/directed-sites.ts';
export { shieldAccess, unshieldedAccess } from './fetch/ask-shield.ts';
export { enterFromEdge, hopHeaders, hopSliceHeaders, hopWholeHeaders } from './hop/from-edge.ts';
export { fetchBody, fetchHeaders, partHeaders } from './fetch/fetch.ts';
export { holdAnswer } from './fetch/hold-answer.ts';
export {
  extraHeaders,
  frontHeaders,
  shapedHeaders,
  sliceHeaders,
  wholeHeaders,
} from './front/answer-headers.ts';
export { front, frontAtExtraPort, frontWithContent } from './front/front.ts';
export { callAccess, callDone, callHeaders } from './fetch/call.ts';
export { inspectContent } from './protect/content.ts';
export { judge } from './protect/judge.ts';
export { showJudged } from './protect/to-judge.ts';
export { limit } from './front/limits.ts';
export { pace } from './front/pace.ts';
export { showCallFailure, showOriginFailure, showPage } from './pages/pages.ts';
export { chooseCertificate, greet } from './tls/tls.ts';

/**
 * Which origins may be asked, how much of an answer without end is kept, a worker's connections, and over how many seconds the rate of
 * content is an average; before `start`.
 */
export function setOriginRules(
  privateOrigins: boolean,
  ownAddresses: string,
  keptBytesMax: number,
  connections: number,
  contentSeconds: number,
): void {
  setOriginGuard(privateOrigins, ownAddresses);
  setKeptBytesMax(keptBytesMax);
  setRoom(connections);
  setContentWindow(contentSeconds);
}

/** In the master, before there are workers, and again in a new one's place at each reload. */
export function start(
  edgeDir: string,
  configuration: string,
  hasBrotli: boolean,
  sites: string,
  cacheFolders: string,
  hasShields: boolean,
  nodeName: string,
): void {
  replaceReads();
  setShields(hasShields);
  noteDirectedSites(sites);
  noteBrotli(hasBrotli);
  nameConfiguration(configuration);
  nameNode(nodeName);
  setCacheFolders(cacheFolders.split(','));
  setCaptchaSocket(edgeDir);
  setJudgeFolder(edgeDir);
  loadFromDisk(edgeDir);
}

/** When a request has ended, however it did. */
export function release(): void {
  releaseHeld();
  endSample();
  endSubmission();
  countAnswer();
}

/** In each worker. They must not all choose the same origins in the same order. */
export function startWorker(): void {
  math.randomseed(ngx.now() * 1000 + ngx.worker.pid());
  dropDeadWorkers();
  registerWorker();
  if (ngx.worker.id() === 0) ngx.timer.every(1, judgePlaces);
}
