import createCache, { type EmotionCache } from '@emotion/cache';
import { useEffect, useState } from 'react';
import type { Settings } from './settings.ts';
import { vendorStyles } from './vendor-styles.ts';

type Direction = Settings['direction'];

const leftToRight = createCache({ key: 'css', stylisPlugins: [vendorStyles] });
let rightToLeft: EmotionCache | undefined;

/** Fetches what mirrors styles; only readers who want it pay for it. */
export async function prepareDirection(direction: Direction): Promise<void> {
  if (direction === 'ltr' || rightToLeft) return;
  const { default: mirror } = await import('@mui/stylis-plugin-rtl');
  rightToLeft = createCache({ key: 'rtl', stylisPlugins: [vendorStyles, mirror] });
}

/** The direction that is drawn, and the styles for it: the wanted one as soon as it can be. */
export function useDirection(wanted: Direction): { direction: Direction; cache: EmotionCache } {
  const [, setReady] = useState(rightToLeft !== undefined);
  useEffect(() => {
    prepareDirection(wanted).then(
      () => setReady(rightToLeft !== undefined),
      (error: unknown) => console.warn('cannot mirror the console', error),
    );
  }, [wanted]);
  const direction = wanted === 'rtl' && rightToLeft ? 'rtl' : 'ltr';
  useEffect(() => {
    document.documentElement.dir = direction;
  }, [direction]);
  return { direction, cache: direction === 'rtl' ? rightToLeft! : leftToRight };
}
