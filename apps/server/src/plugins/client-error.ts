import { errors, type ErrorName } from '@breakwater/contract';
import type { Socket } from 'node:net';
import { errorBody } from '../api-error.ts';

/** What could not be read as a request at all is answered before any route: as an envelope too, and the connection ends. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Nobody is there to read an answer, or one has begun already.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const name: ErrorName = error.code === 'HPE_HEADER_OVERFLOW' ? 'request_too_long' : 'malformed_body';
  const body = JSON.stringify(errorBody(name, [], 'zh'));
  const head = `HTTP/1.1 ${errors[name].status} Error\r\nContent-Type: application/json; charset=utf-8\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}
