import type { Language } from '@breakwater/contract';
import { useSyncExternalStore } from 'react';
import { storage } from '../api/storage.ts';

const key = 'appLanguage';
const listeners = new Set<() => void>();
let current: Language = storage.read(key) === 'en' ? 'en' : 'zh';

/** The language of the console: Chinese unless the reader chose English. */
export const language = {
  get: (): Language => current,
  set(next: Language): void {
    current = next;
    storage.write(key, next);
    applyLanguage();
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function applyLanguage(): void {
  document.documentElement.lang = current === 'zh' ? 'zh-CN' : 'en';
}

export function useLanguage(): Language {
  return useSyncExternalStore(language.subscribe, language.get);
}
