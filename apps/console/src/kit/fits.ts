import * as z from 'zod';

/** What is stored, if it fits a schema. */
export const fits =
  <Schema extends z.core.$ZodType>(schema: Schema) =>
  (stored: unknown): z.output<Schema> | undefined => {
    const parsed = z.safeParse(schema, stored);
    return parsed.success ? parsed.data : undefined;
  };
