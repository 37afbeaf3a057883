import type { ScreensFor } from '@breakwater/contract';
import { lazyScreen } from '../lazy-screen.ts';

/** The screens that only customers have. */
export const customerScreens = {
  members: lazyScreen(() => import('../../features/client/member-list.tsx'), 'Members'),
} satisfies Record<ScreensFor<'user'>, unknown>;
