import * as z from 'zod';
import { inputText, nothing } from './common.ts';
import { defineRoutes } from './define.ts';

/** As many of one account are written down in a minute; a window of the console tells of no more than that at all. */
export const consoleFaultsMax = 10;

/**
 * Something failed in a console that no part of it waited for. Readers are spared it; operators find it in the server's log.
 * It has nothing of what was shown or entered: the sentences of the browser's own errors, positions in the files of the
 * build, and the path of the screen.
 */
export const consoleFault = z.strictObject({
  name: inputText().max(80),
  /** Empty where it could hold more than the browser's own words. */
  message: inputText().max(200),
  /** `file:line:column`, the innermost first. */
  stack: z.array(inputText().max(120)).max(8),
  path: inputText().max(200),
});
export type ConsoleFault = z.infer<typeof consoleFault>;

export const consoleFaultRoutes = defineRoutes({
  reportConsoleFault: {
    method: 'POST',
    path: '/prod-api/console_fault',
    summary:
      'Report a failure in the console that no part of it handled. Counted, and written to the server log.',
    access: { kind: 'signed_in', tokens: false },
    body: consoleFault,
    response: nothing,
    unlogged: true,
  },
});
