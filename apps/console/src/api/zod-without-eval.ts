import * as z from 'zod';

// zod would try `new Function` for speed, which the content security policy forbids and the browser reports. This must
// run before any schema is made, so it is the first import of `main.tsx`.
z.config({ jitless: true });
