import * as z from 'zod';

export type Fields = Record<string, z.core.$ZodType>;
type Values<Shape extends Fields> = z.output<z.ZodObject<Shape>>;

/** What an address holds, field by field: what does not fit is as if it were absent. */
export function parseSearch<Shape extends Fields>(
  schema: z.ZodObject<Shape>,
  raw: Record<string, unknown>,
): Values<Shape> {
  const values: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(schema.shape)) {
    const given = z.safeParse(field, raw[key]);
    const parsed = given.success ? given : z.safeParse(field, undefined);
    if (parsed.success && parsed.data !== undefined) values[key] = parsed.data;
  }
  return values as Values<Shape>;
}
