type Kind = 'localStorage' | 'sessionStorage';

/** Storage that may be absent or full (private mode, quota): a failure is logged and the console works on. */
function makeStorage(kind: Kind) {
  // What the browser did not take lasts as long as the page.
  const memory = new Map<string, string>();
  const storage = {
    read(key: string): string | null {
      try {
        return memory.get(key) ?? window[kind].getItem(key);
      } catch (error) {
        console.warn(`cannot read ${key} from storage`, error);
        return memory.get(key) ?? null;
      }
    },
    write(key: string, value: string): void {
      try {
        window[kind].setItem(key, value);
        memory.delete(key);
      } catch (error) {
        console.warn(`cannot write ${key} to storage`, error);
        memory.set(key, value);
      }
    },
    remove(...keys: string[]): void {
      for (const key of keys) memory.delete(key);
      try {
        for (const key of keys) window[kind].removeItem(key);
      } catch (error) {
        console.warn(`cannot remove ${keys.join(', ')} from storage`, error);
      }
    },
    /** The signed-in user's key for something that is remembered on this machine. */
    keyOf: (name: string): string => `${name}@${storage.read('user_id') ?? ''}`,
    readJson(key: string): unknown {
      const text = storage.read(key);
      if (text === null) return null;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return null;
      }
    },
  };
  return storage;
}

export const storage = makeStorage('localStorage');
/** Of one browser tab. */
export const tabStorage = makeStorage('sessionStorage');
