import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/db/schema.ts',
    './src/db/delivery-schema.ts',
    './src/db/health-schema.ts',
    './src/db/level-schema.ts',
    './src/db/site-work-schema.ts',
    './src/db/access-schema.ts',
    './src/db/export-schema.ts',
    './src/db/resource-schema.ts',
    './src/db/protection-schema.ts',
  ],
  out: './src/db/migrations',
  casing: 'snake_case',
});
