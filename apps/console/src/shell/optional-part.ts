import { lazy, type ComponentType } from 'react';

/** A part without which the console goes on: where its code does not come, there is nothing. */
export const optional = (load: () => Promise<ComponentType>) =>
  lazy(async () => ({ default: await load().catch(() => () => null) }));
