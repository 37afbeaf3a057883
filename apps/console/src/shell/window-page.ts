type Listener = (href: string) => Promise<unknown>;
let listener: Listener = async () => undefined;

/** Called where the window is to show another page as a whole: one of guests, or the console (`main.tsx`). */
export const onWindowPage = (wanted: Listener): void => void (listener = wanted);

/** Leaves for another page, in the same place of the history; settled once it is drawn. */
export const showWindowPage = (href: string): Promise<unknown> => listener(href);
