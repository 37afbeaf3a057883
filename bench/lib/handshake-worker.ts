import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';

/** A program: makes full TLS handshakes, several at once, each for the next name, until its time is over; writes how many. */
interface Job {
  port: number;
  names: string[];
  /** Absent: until each name was asked for. */
  seconds?: number;
  /** Where in the names to begin, so that workers do not ask for the same ones. */
  offset: number;
}

const atOnce = 8;
const { port, names, seconds, offset } = JSON.parse(await text(process.stdin)) as Job;
const end = seconds === undefined ? undefined : Date.now() + seconds * 1000;
let next = offset;
let done = 0;

function handshake(): Promise<void> {
  const servername = names[next++ % names.length]!;
  return new Promise((settle, refuse) => {
    // No session is given, so none is resumed.
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false });
    socket.on('secureConnect', () => {
      const shown = socket.getPeerCertificate().subject.CN;
      if (shown === servername) done += 1;
      else socket.destroy(new Error(`${servername} shows the certificate of ${String(shown)}`));
      socket.end();
    });
    socket.on('close', () => settle());
    socket.on('error', refuse);
  });
}

async function loop(): Promise<void> {
  while (end === undefined ? next < offset + names.length : Date.now() < end) await handshake();
}

await Promise.all(Array.from({ length: atOnce }, loop));
process.stdout.write(String(done));
