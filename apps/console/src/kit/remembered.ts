import { useCallback, useState } from 'react';
import { storage } from '../api/storage.ts';

/**
 * State that is remembered per user. `read` gives what is stored if it is such a value; what is not is as if it were absent.
 * Storage that throws costs the memory only.
 */
export function useRemembered<Value>(
  name: string,
  read: (stored: unknown) => Value | undefined,
  byDefault: Value,
) {
  const key = storage.keyOf(name);
  const [held, setHeld] = useState(() => ({ key, value: read(storage.readJson(key)) ?? byDefault }));
  const value = held.key === key ? held.value : (read(storage.readJson(key)) ?? byDefault);
  const remember = useCallback(
    (next: Value) => {
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
