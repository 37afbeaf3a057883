import { useEffect, useRef } from 'react';

export interface Combination {
  /** As `KeyboardEvent.key` names it: `k`, `?`, `Escape`. */
  key: string;
  /** With Cmd on a Mac, Ctrl elsewhere. */
  command?: boolean;
}

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly { keys: Combination; label: string }[];
}

export const onMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);

/** Where keys are text: a shortcut without Cmd or Ctrl is typed there. */
export function isTyping(target: EventTarget | null): boolean {
  const typed = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="textbox"]';
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(typed));
}

function isPressed(event: KeyboardEvent, { key, command = false }: Combination): boolean {
  if (event.key.toLowerCase() !== key.toLowerCase() || event.altKey) return false;
  const modified = onMac() ? event.metaKey : event.ctrlKey;
  return command ? modified : !event.metaKey && !event.ctrlKey && !isTyping(event.target);
}

/** Does something when the keys are pressed anywhere. */
export function useShortcut(combination: Combination, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const { key, command = false } = combination;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isPressed(event, { key, command })) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [key, command]);
}
