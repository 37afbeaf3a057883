import type { Language } from '@breakwater/contract';
import { useSyncExternalStore } from 'react';
import { config } from '../api/config.ts';
import { storage } from '../api/storage.ts';

const key = 'appLanguage';
const listeners = new Set<() => void>();
let current = chosen() ?? byDefault();

function chosen(): Language | undefined {
  const stored = storage.read(key);
  return stored === 'zh' || stored === 'en' ? stored : undefined;
}

function byDefault(): Language {
  const wanted = config().language;
  if (wanted !== 'browser') return wanted;
  // The first that we have, in the order of the reader's preference.
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'zh' || tag === 'en');
  return known === 'en' ? 'en' : 'zh';
}

/** The language of the console: what the reader chose, else the operator's default. */
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
