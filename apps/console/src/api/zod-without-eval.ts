import * as z from 'zod';

// zod would try `new Function` for speed, which the content security policy forbids and the browser reports. This must
// run before any schema is made: the build puts it into one file with zod (`vite.config.ts`).
z.config({ jitless: true });
