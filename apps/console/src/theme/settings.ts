import { useSyncExternalStore } from 'react';
import * as z from 'zod';
import { storage } from '../api/storage.ts';
import { fontFamilies } from './fonts.ts';

/** The reader's settings under `app-settings`, with the names and defaults of spec §3 and §9 (`hight` is spelt so). */
export const settingDefaults = {
  colorScheme: 'light',
  contrast: 'default',
  direction: 'ltr',
  compactLayout: true,
  primaryColor: 'default',
  navColor: 'integrate',
  navLayout: 'vertical',
  fontFamily: 'Public Sans Variable',
} as const satisfies Settings;

export const primaryColors = ['default', 'cyan', 'purple', 'blue', 'orange', 'red'] as const;
export type PrimaryColor = (typeof primaryColors)[number];

const settingsSchema = z.object({
  colorScheme: z.enum(['light', 'dark']).catch('light'),
  contrast: z.enum(['default', 'hight']).catch('default'),
  direction: z.enum(['ltr', 'rtl']).catch('ltr'),
  compactLayout: z.boolean().catch(true),
  primaryColor: z.enum(primaryColors).catch('default'),
  navColor: z.enum(['integrate', 'apparent']).catch('integrate'),
  navLayout: z.enum(['vertical', 'horizontal', 'mini']).catch('vertical'),
  fontFamily: z.enum(fontFamilies).catch('Public Sans Variable'),
});
export type Settings = z.infer<typeof settingsSchema>;

const key = 'app-settings';
const listeners = new Set<() => void>();
const stored = (): Settings => settingsSchema.catch(settingDefaults).parse(storage.readJson(key) ?? {});
let current = stored();

function take(next: Settings): void {
  current = next;
  for (const listener of listeners) listener();
}

export const settings = {
  get: (): Settings => current,
  set(patch: Partial<Settings>): void {
    take({ ...current, ...patch });
    storage.write(key, JSON.stringify(current));
  },
  reset: (): void => settings.set(settingDefaults),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

// Another window of this console changed them.
addEventListener('storage', (event) => {
  if (event.key === key) take(stored());
});

export const isChanged = (values: Settings): boolean =>
  (Object.keys(settingDefaults) as (keyof Settings)[]).some((name) => values[name] !== settingDefaults[name]);

export function useSettings(): Settings {
  return useSyncExternalStore(settings.subscribe, settings.get);
}
