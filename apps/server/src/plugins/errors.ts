import { errors, type ErrorName } from '@breakwater/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  databaseError,
  errorBody,
  isDatabaseAway,
  ranOutOfTime,
  type FieldIssue,
} from '../api-error.ts';
import { LogStoreBusyError, LogStoreDownError, LogStoreFullError } from '../logs/log-store.ts';
import { languageOf } from './mount.ts';

/** Every failure leaves as an envelope in the reader's language; what we did not foresee is logged and says nothing more. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    if (error instanceof ApiError) {
      if (errors[error.error].status === 429)
        reply.header('retry-after', String(error.retrySeconds ?? retrySecondsUsual));
      return answer(request, reply, error.error, error.fields);
    }
    const name = knownError(error);
    if (name === 'log_store_down' || name === 'log_store_full') request.log.warn({ err: error }, 'log store');
    if (name === 'unavailable') request.log.warn({ err: error }, 'not available');
    if (name === 'internal') request.log.error({ err: error }, 'request failed');
    return answer(request, reply, name);
  });
}

/** A request line that Fastify cannot read: an escape in it is broken. */
export function answerUnreadable(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return answer(request, reply, 'malformed_body');
}

/** Where nobody can say when there is room again. */
const retrySecondsUsual = 30;

/** For a path under an API that names no route. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return answer(request, reply, 'not_found');
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  name: ErrorName,
  fields: readonly FieldIssue[] = [],
) {
  if (errors[name].status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(errors[name].status).send(errorBody(name, fields, languageOf(request)));
}

function knownError(error: FastifyError): ErrorName {
  if (error instanceof LogStoreDownError) return 'log_store_down';
  if (error instanceof LogStoreFullError) return 'log_store_full';
  if (error instanceof LogStoreBusyError) return 'unavailable';
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'too_large';
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'unsupported_media';
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return 'malformed_body';
  // Two writers met (serialization, deadlock), or a row that was checked a moment ago is gone.
  const code = databaseError(error)?.code;
  if (code === '40001' || code === '40P01' || code === '23505') return 'conflict';
  if (code === '23503') return 'in_use';
  if (isDatabaseAway(error) || ranOutOfTime(error)) return 'unavailable';
  return 'internal';
}
