import type { Theme } from '@mui/material';
import type { Settings } from '../theme/settings.ts';

/** Sizes of spec §9, in pixels. */
export const navWidth = { vertical: 240, mini: 88, mobile: 320, flyout: 180 } as const;
export const navHeight = 64;
export const headerHeight = { xs: 64, md: 72 } as const;
export const transitionMs = 120;

/** What frames the navigation: on the page's own ground, or filled. Its entries take their colours from here. */
export const navFrame = (navColor: Settings['navColor']) => (theme: Theme) => {
  const { palette } = theme.vars!;
  if (navColor === 'apparent')
    return {
      backgroundColor: palette.grey[900],
      '--nav-text': palette.grey[400],
      '--nav-strong': '#fff',
      '--nav-active': palette.primary.light,
      '--nav-active-ground': theme.alpha(palette.primary.main, 0.24),
      '--nav-line': 'rgba(255, 255, 255, 0.08)',
      color: '#fff',
      ...theme.applyStyles('dark', { backgroundColor: palette.grey[800] }),
    };
  return {
    backgroundColor: palette.background.paper,
    '--nav-text': palette.text.secondary,
    '--nav-strong': palette.text.primary,
    '--nav-active': palette.primary.dark,
    '--nav-active-ground': theme.alpha(palette.primary.main, 0.1),
    '--nav-line': palette.divider,
    ...theme.applyStyles('dark', { '--nav-active': palette.primary.light }),
  };
};

export const navEntry = {
  borderRadius: 1,
  color: 'var(--nav-text)',
  fontWeight: 500,
  '&:hover': { color: 'var(--nav-strong)', backgroundColor: 'rgba(145, 158, 171, 0.12)' },
  '&.Mui-focusVisible': { outline: '2px solid var(--nav-active)', outlineOffset: -2 },
  '&.Mui-selected, &.Mui-selected:hover': {
    fontWeight: 600,
    color: 'var(--nav-active)',
    backgroundColor: 'var(--nav-active-ground)',
  },
} as const;
