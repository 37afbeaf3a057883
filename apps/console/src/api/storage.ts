/** Local storage that may be absent or full (private mode, quota): a failure is logged and the console works on. */
export const storage = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch (error) {
      console.warn(`cannot read ${key} from storage`, error);
      return null;
    }
  },
  write(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch (error) {
      console.warn(`cannot write ${key} to storage`, error);
    }
  },
  remove(...keys: string[]): void {
    try {
      for (const key of keys) localStorage.removeItem(key);
    } catch (error) {
      console.warn(`cannot remove ${keys.join(', ')} from storage`, error);
    }
  },
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
