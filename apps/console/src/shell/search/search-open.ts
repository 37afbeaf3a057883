import { useSyncExternalStore } from 'react';

/** Whether the search dialog is open. Buttons, the shortcut and the dialog share it. */
let open = false;
let openings = 0;
const listeners = new Set<() => void>();

export function setSearchOpen(next: boolean): void {
  if (next && !open) openings += 1;
  open = next;
  for (const listener of listeners) listener();
}
export const openSearch = (): void => setSearchOpen(true);
/** How often it was opened: each time it starts anew. */
export const searchOpenings = (): number => openings;
export const toggleSearch = (): void => setSearchOpen(!open);

export function useSearchOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
