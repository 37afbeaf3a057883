import type { FastifyInstance } from 'fastify';
import { ApiError } from '../api-error.ts';
import { isNestedTooDeeply } from '../json-depth.ts';

/** Bodies in JSON as Fastify reads them, but for those whose levels are endless: `malformed_body`, for every route. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isNestedTooDeeply(String(body))) done(new ApiError('malformed_body'));
    else void parse(request, String(body), done);
  });
}
