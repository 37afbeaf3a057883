import type { FastifyReply } from 'fastify';
import { ApiError } from '../../api-error.ts';

/** Ends the work when the caller has gone: nobody waits for what a long search or a ranking finds. */
export async function whileThere<Result>(
  reply: FastifyReply,
  work: (gone: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  reply.raw.once('close', leave);
  if (reply.raw.destroyed) leave();
  try {
    return await work(gone.signal);
  } catch (error) {
    if (gone.signal.aborted) throw new ApiError('unavailable');
    throw error;
  } finally {
    reply.raw.removeListener('close', leave);
  }
}
