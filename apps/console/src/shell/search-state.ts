import { useSyncExternalStore } from 'react';

/** Whether the search dialog is open. Buttons, the shortcut and the dialog share it. */
let open = false;
const listeners = new Set<() => void>();

export function setSearchOpen(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}
export const openSearch = (): void => setSearchOpen(true);
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
