import { useSyncExternalStore } from 'react';
import * as z from 'zod';
import { storage } from '../api/storage.ts';

/** The reader's settings under `app-settings`, with the names and defaults of spec §3 and §9. */
const settingsSchema = z.object({
  colorScheme: z.enum(['light', 'dark']).catch('light'),
  contrast: z.enum(['default', 'hight']).catch('default'),
  direction: z.enum(['ltr', 'rtl']).catch('ltr'),
  compactLayout: z.boolean().catch(true),
  primaryColor: z.enum(['default', 'cyan', 'purple', 'blue', 'orange', 'red']).catch('default'),
  navColor: z.enum(['integrate', 'apparent']).catch('integrate'),
  navLayout: z.enum(['vertical', 'horizontal', 'mini']).catch('vertical'),
  fontFamily: z.string().catch('Public Sans Variable'),
});
export type Settings = z.infer<typeof settingsSchema>;

const listeners = new Set<() => void>();
let current = settingsSchema.parse(storage.readJson('app-settings') ?? {});

export const settings = {
  get: (): Settings => current,
  set(patch: Partial<Settings>): void {
    current = { ...current, ...patch };
    storage.write('app-settings', JSON.stringify(current));
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useSettings(): Settings {
  return useSyncExternalStore(settings.subscribe, settings.get);
}
