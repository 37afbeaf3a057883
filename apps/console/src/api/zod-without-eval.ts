import { config } from 'zod/v4';

/**
 * What every part of the console imports as `zod` (`vite.config.ts`): zod would try `new Function` for speed, which the content
 * security policy forbids and the browser reports. This runs before any schema is made.
 */
config({ jitless: true });

export * from 'zod/v4';
