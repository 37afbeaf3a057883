import { useSyncExternalStore } from 'react';
import { storage } from '../api/storage.ts';
import { fontFamilies } from './fonts.ts';

export const primaryColors = ['default', 'cyan', 'purple', 'blue', 'orange', 'red'] as const;
export type PrimaryColor = (typeof primaryColors)[number];

/** The reader's settings under `app-settings`, by the names of spec §3 (`hight` is spelt so), and what each may be. */
const choices = {
  colorScheme: ['light', 'dark'],
  contrast: ['default', 'hight'],
  direction: ['ltr', 'rtl'],
  compactLayout: [true, false],
  primaryColor: primaryColors,
  navColor: ['integrate', 'apparent'],
  navLayout: ['vertical', 'horizontal', 'mini'],
  fontFamily: fontFamilies,
} as const;
export type Settings = { -readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] };

/** Spec §9: the first of each. */
const settingDefaults = Object.fromEntries(
  Object.entries(choices).map(([name, [first]]) => [name, first]),
) as Settings;

const key = 'app-settings';
const listeners = new Set<() => void>();

/** What is stored; a value that is none of the choices is its default. */
function stored(): Settings {
  const found = (storage.readJson(key) ?? {}) as Record<string, unknown>;
  const valid = Object.entries(choices).filter(([name, allowed]) =>
    (allowed as readonly unknown[]).includes(found[name]),
  );
  return { ...settingDefaults, ...Object.fromEntries(valid.map(([name]) => [name, found[name]])) };
}
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
