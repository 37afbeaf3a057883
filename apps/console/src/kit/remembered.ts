import { useCallback, useState } from 'react';
import * as z from 'zod';
import { storage } from '../api/storage.ts';

/** State that is remembered per user. What does not fit its schema is as if it were absent; storage that throws costs the memory only. */
export function useRemembered<Schema extends z.core.$ZodType>(
  name: string,
  schema: Schema,
  byDefault: z.output<Schema>,
) {
  const key = storage.keyOf(name);
  const [held, setHeld] = useState(() => ({ key, value: stored(key, schema, byDefault) }));
  const value = held.key === key ? held.value : stored(key, schema, byDefault);
  const remember = useCallback(
    (next: z.output<Schema>) => {
      setHeld({ key, value: next });
      storage.write(key, JSON.stringify(next));
    },
    [key],
  );
  const forget = useCallback(() => {
    setHeld({ key, value: byDefault });
    storage.remove(key);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the default means the same at every drawing, though it is made anew
  }, [key]);
  return [value, remember, forget] as const;
}

function stored<Schema extends z.core.$ZodType>(
  key: string,
  schema: Schema,
  byDefault: z.output<Schema>,
): z.output<Schema> {
  const parsed = z.safeParse(schema, storage.readJson(key));
  return parsed.success ? parsed.data : byDefault;
}
