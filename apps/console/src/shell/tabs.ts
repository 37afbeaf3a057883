import { menuText, type Language, type ScreenId } from '@breakwater/contract';
import { useSyncExternalStore } from 'react';
import { storage, tabStorage } from '../api/storage.ts';
import { screenOf } from '../api/tables.ts';

/** A page that was opened: one tab per path, at the search it was left with. */
export interface OpenTab {
  path: string;
  href: string;
  screen: ScreenId;
  /** What the page calls itself, for pages of one object. */
  heading?: string;
}
const isTab = ({ path, href, screen, heading }: Partial<OpenTab>): boolean =>
  [path, href, heading ?? ''].every((text) => typeof text === 'string') &&
  screen !== undefined &&
  screenOf(screen) !== undefined;

const key = 'open-tabs';
const tabsMax = 20;

const userId = (): string => storage.read('user_id') ?? '';

/** The tabs of this window from before a reload, unless they were another person's. */
function restored(): readonly OpenTab[] {
  const { user, tabs } = (tabStorage.readJson(key) ?? {}) as { user?: unknown; tabs?: unknown };
  const found = user === userId() && Array.isArray(tabs) ? (tabs as (Partial<OpenTab> | null)[]) : [];
  return found.every((tab) => tab !== null && isTab(tab)) ? (found as OpenTab[]) : [];
}

let current: readonly OpenTab[] | undefined;
const listeners = new Set<() => void>();

function take(tabs: readonly OpenTab[]): void {
  current = tabs;
  tabStorage.write(key, JSON.stringify({ user: userId(), tabs }));
  for (const listener of listeners) listener();
}

export const openTabs = {
  get: (): readonly OpenTab[] => (current ??= restored()),
  /** Adds a page, or brings its tab up to date. Of too many, the oldest goes. */
  visit(tab: OpenTab): void {
    const tabs = openTabs.get();
    const known = tabs.find(({ path }) => path === tab.path);
    if (!known) return take([...tabs, tab].slice(-tabsMax));
    const next = { ...known, ...tab };
    if (JSON.stringify(next) !== JSON.stringify(known))
      take(tabs.map((each) => (each === known ? next : each)));
  },
  keep: (keep: (tab: OpenTab) => boolean): void => take(openTabs.get().filter(keep)),
  clear(): void {
    take([]);
    tabStorage.remove(key);
    current = undefined;
  },
};

export function useOpenTabs(): readonly OpenTab[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, openTabs.get);
}

export function tabTitle({ screen, heading }: OpenTab, language: Language): string {
  const title = menuText[language].screen[screen];
  return heading && screenOf(screen)?.path.includes('{') ? heading : title;
}
