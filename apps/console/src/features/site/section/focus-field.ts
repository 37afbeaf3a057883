import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

/** What of a field takes the focus. MUI's selects have a hidden input beside their combobox. */
const focusable = '[role=combobox], input:not([aria-hidden=true]):not([type=hidden]), textarea, button';

/** The row or the field of a name, as lists and inputs have it. */
const placeOf = (name: string): Element | null =>
  document.querySelector(`[data-field="${CSS.escape(name)}"]`) ??
  document.querySelector(`[name="${CSS.escape(name)}"]`)?.closest('.MuiFormControl-root, label') ??
  null;

/** A link may lead to one field of a form or one row of its lists: `focus` in the address is its name. */
export function useFocusField(): void {
  const { focus } = useSearch({ strict: false }) as { focus?: string };
  useEffect(() => {
    const place = focus ? placeOf(focus) : null;
    // Focus alone scrolls no further than into sight, which may be below the bar of the buttons.
    place?.querySelector<HTMLElement>(focusable)?.focus();
    place?.scrollIntoView({ block: 'center' });
  }, [focus]);
}
