import type { FileAnswer } from '@breakwater/contract';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';

/** Answers with a file as it comes. What fails after the first piece breaks the connection off: half a file is no file. */
export function sendFile(reply: FastifyReply, { name, content_type, content }: FileAnswer): FastifyReply {
  return reply
    .headers({
      'content-type': content_type,
      'content-disposition': dispositionOf(name),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .send(
      typeof content === 'string' || content instanceof Uint8Array
        ? content
        : Readable.from(content, { objectMode: false }),
    );
}

/** RFC 6266: the name in ASCII for old readers, and as it is (RFC 8187). */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\w. -]/g, '_');
  const full = encodeURIComponent(name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
