import { lazy, useEffect, type ComponentType } from 'react';
import { useText } from '../i18n/text.ts';
import { kitText } from './kit.text.ts';

/** What covers the page, fetched when it is first opened. Where it does not come, that is said, and the page stays as it is. */
export const lazyOverlay = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => orInstead(load(), OverlayMissing));

/** A part, or what is there instead where its code does not come. */
export async function orInstead<Props extends object>(
  part: Promise<ComponentType<Props>>,
  missing: ComponentType,
): Promise<{ default: ComponentType<Props> }> {
  return { default: await part.catch(() => missing as ComponentType<Props>) };
}

function OverlayMissing() {
  const t = useText(kitText);
  // By itself: the pages before sign-in have parts that cover them, and no messages.
  useEffect(() => void import('./toast.ts').then(({ notify }) => notify.error(t.partMissing)), [t]);
  return null;
}
