import type { ConsoleFault } from '@breakwater/contract';
import type { ApiError } from './client.ts';

/** What the browser says of these is about the code alone; the message of any other may hold what somebody entered. */
const browsersOwn = ['TypeError', 'ReferenceError', 'RangeError'];

/** What operators are told of a failure: nothing of what was shown or entered. */
export function faultOf(reason: unknown, path: string): ConsoleFault {
  const error = reason instanceof Error ? reason : undefined;
  const name = error?.name ?? typeof reason;
  const own = browsersOwn.includes(name) ? error!.message : '';
  return {
    name: name.slice(0, 80),
    message: (name === 'ApiError' ? `code ${(error as ApiError).code}` : own).slice(0, 200),
    stack: [...(error?.stack ?? '').matchAll(/\/([\w.-]+\.js:\d+:\d+)/g)]
      .slice(0, 8)
      .map(([, at]) => at!.slice(0, 120)),
    path: path.slice(0, 200),
  };
}
