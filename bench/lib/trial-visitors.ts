import { parentPort, workerData } from 'node:worker_threads';
import { setTimeout as delay } from 'node:timers/promises';
import { Dropped, Http1Client, Http2Client, type Place } from './trial-clients.ts';
import { Diary } from './trial-diary.ts';
import {
  download,
  miss,
  read,
  readHead,
  readPart,
  revalidate,
  type FileVisitor,
  type ServedFile,
} from './trial-files.ts';
import { converse, followEvents, holdWebSocket, upload, Wrong } from './trial-streams.ts';

/** The visitors of a trial, in a thread of their own, until they are told that it is over. */
export interface VisitorsData {
  place: Place;
  files: ServedFile[];
  fileHost: string;
  liveHost: string;
  callHost: string;
  eventsOfStream: number;
}
export type Told = { saved: number } | { refreshed: number } | { over: true };

const port = parentPort!;
const { place, files, fileHost, liveHost, callHost, eventsOfStream } = workerData as VisitorsData;
const diary = new Diary();
const known = { saved: 0, refreshed: 0 };
const over = new AbortController();

port.on('message', (told: Told) => {
  if ('over' in told) over.abort();
  else Object.assign(known, told);
});

async function repeat(pauseMilliseconds: number, visit: () => Promise<unknown>): Promise<void> {
  while (!over.signal.aborted) {
    const began = Date.now();
    try {
      await visit();
      diary.count('visits');
    } catch (error) {
      const isDropped = error instanceof Dropped;
      const status = error instanceof Wrong && typeof error.cause === 'number' ? error.cause : undefined;
      diary.complaints.push({
        kind: isDropped ? 'dropped' : 'answer',
        what: isDropped || error instanceof Wrong ? error.message : String((error as Error).stack),
        ...(status === undefined ? {} : { status }),
        began,
        ended: Date.now(),
      });
    }
    await delay(pauseMilliseconds * (0.5 + Math.random()));
  }
}

const fileVisits = [read, read, read, readPart, readPart, revalidate, readHead, miss];

function visitFiles(client: FileVisitor['client'], isSlow = false): Promise<void> {
  const visitor: FileVisitor = { client, host: fileHost, files, known: () => ({ ...known }) };
  if (isSlow) return repeat(300, () => download(visitor));
  return repeat(120, () => fileVisits[Math.floor(Math.random() * fileVisits.length)]!(visitor));
}

const kept = () => new Http1Client(place, diary, { keeps: true });
const fresh = () => new Http1Client(place, diary, { keeps: false });
const plain = () => new Http1Client(place, diary, { keeps: true, isPlain: true });
const http2 = (host: string) => new Http2Client(place, diary, host);
const times = (count: number, make: () => Promise<void>) => Array.from({ length: count }, make);

await Promise.all([
  ...times(22, () => visitFiles(kept())),
  ...times(22, () => visitFiles(http2(fileHost))),
  ...times(12, () => visitFiles(fresh())),
  ...times(6, () => visitFiles(plain())),
  ...times(4, () => visitFiles(kept(), true)),
  ...times(4, () => visitFiles(http2(fileHost), true)),
  ...times(8, () => {
    const clients = [fresh(), http2(liveHost)];
    return repeat(400, () => upload(clients[Math.floor(Math.random() * 2)]!, liveHost));
  }),
  ...times(4, () => repeat(100, () => followEvents(fresh(), liveHost, eventsOfStream))),
  ...times(4, () => {
    const client = http2(liveHost);
    return repeat(100, () => followEvents(client, liveHost, eventsOfStream));
  }),
  ...times(8, () => repeat(100, () => holdWebSocket(place, diary, liveHost, () => over.signal.aborted))),
  ...times(6, () => {
    const client = http2(callHost);
    return repeat(200, () => converse(client, diary, callHost));
  }),
]);
port.postMessage(diary.report(), []);
process.exit(0);
