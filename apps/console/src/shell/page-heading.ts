import { menuText } from '@breakwater/contract';
import { useEffect, useRef, useState } from 'react';
import { config } from '../api/config.ts';
import { useLanguage } from '../i18n/language.ts';
import { useCurrentPage } from './nav/menu.ts';
import { openTabs } from './tabs.ts';

/**
 * Follows the heading of the page that is shown: the window and the tab are called after it, and a navigation moves
 * the focus to it, so that a screen reader says where one is.
 */
export function usePageHeading(content: React.RefObject<HTMLElement | null>): void {
  const language = useLanguage();
  const { screen, pathname, href } = useCurrentPage();
  const heading = useHeading(content, pathname);
  const shown = useRef(pathname);
  const focused = useRef<HTMLElement>(undefined);
  useEffect(() => {
    const title = heading?.text || (screen && menuText[language].screen[screen]);
    document.title = title ? `${title} · ${config().app_name}` : config().app_name;
    if (screen && heading?.text) openTabs.visit({ path: pathname, href, screen, heading: heading.text });
  }, [screen, language, heading, pathname, href]);
  useEffect(() => {
    if (!heading) return;
    // A page may draw its heading anew once it knows its object, such as its name: the focus that was on it is lost then.
    const isLost = focused.current?.isConnected === false && document.activeElement === document.body;
    if (shown.current === pathname && !isLost) return;
    shown.current = pathname;
    focused.current = undefined;
    const busy = document.activeElement?.closest('main input, main textarea, [role="dialog"]');
    if (busy) return;
    focused.current = heading.element;
    focusOn(heading.element);
  }, [heading, pathname]);
}

interface Heading {
  element: HTMLElement;
  text: string;
}

/** The first heading that is shown of a page, as soon as there is one and whenever its words change. */
function useHeading(content: React.RefObject<HTMLElement | null>, pathname: string): Heading | null {
  const [heading, setHeading] = useState<(Heading & { pathname: string }) | null>(null);
  useEffect(() => {
    const root = content.current;
    if (!root) return undefined;
    const look = () => {
      const element = [...root.querySelectorAll('h1')].find(isRendered);
      const text = element?.textContent?.trim() ?? '';
      setHeading((before) => {
        if (!element) return null;
        if (before?.element === element && before.text === text && before.pathname === pathname)
          return before;
        return { element, text, pathname };
      });
    };
    look();
    const observer = new MutationObserver(look);
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [content, pathname]);
  return heading?.pathname === pathname ? heading : null;
}

/**
 * While the code of a page is fetched, React keeps the page before it in the document, hidden by its style. To read that
 * costs no layout, as asking for a box would with each change of the page.
 */
const isRendered = (element: HTMLElement): boolean => !element.closest('[style*="display: none"]');

function focusOn(element: HTMLElement): void {
  element.tabIndex = -1;
  element.style.outline = 'none';
  element.focus({ preventScroll: true });
}
