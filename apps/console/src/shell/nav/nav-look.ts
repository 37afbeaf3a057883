import type { Theme } from '@mui/material';
import type { Settings } from '../../theme/settings.ts';

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

/** The menu as a column: of plain elements, whose look stands here once. */
export const columnLook = ({ theme }: { theme: Theme }) => ({
  flex: 1,
  minHeight: 0,
  overflowY: 'auto' as const,
  padding: '0 12px 16px',
  scrollbarWidth: 'thin' as const,
  '& .subheader': {
    padding: '16px 12px 6px',
    color: 'var(--nav-text)',
    fontSize: 11,
    fontWeight: 700,
    lineHeight: 1.5,
  },
  '& ul': { listStyle: 'none', margin: 0, padding: 0 },
  '& ul.inner': {
    paddingInlineStart: 12,
    marginInlineStart: 10,
    borderInlineStart: '2px solid var(--nav-line)',
  },
  '& .entry': entryLook(theme),
  '& .inner .entry': { minHeight: 36 },
  '& .words': { flex: 1, minWidth: 0, lineHeight: 22 / 14 },
  '& .words > *': {
    display: 'block',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap' as const,
  },
  '& small': { fontSize: theme.typography.caption.fontSize, lineHeight: 1.5, color: 'var(--nav-text)' },
  '& .arrow': { lineHeight: 0, transform: 'rotate(-90deg)', transition: `transform ${transitionMs}ms` },
  '[dir=rtl] & .arrow': { transform: 'rotate(90deg)' },
  '& [aria-expanded=true] > .arrow': { transform: 'none' },
});

const entryLook = (theme: Theme) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  width: '100%',
  minHeight: 42,
  marginBottom: 4,
  padding: '4px 12px',
  border: 0,
  borderRadius: 8,
  background: 'none',
  color: 'var(--nav-text)',
  font: 'inherit',
  fontSize: theme.typography.body2.fontSize,
  fontWeight: 500,
  // Mirrored; `start` would follow the words, which read from the left in every layout.
  textAlign: 'left' as const,
  textDecoration: 'none',
  cursor: 'pointer',
  '&:hover': { color: 'var(--nav-strong)', backgroundColor: 'rgba(145, 158, 171, 0.12)' },
  '&:focus-visible': { outline: '2px solid var(--nav-active)', outlineOffset: -2 },
  '&.current, &[aria-current=page]': { fontWeight: 600, color: 'var(--nav-active)' },
  '&[aria-current=page]': { backgroundColor: 'var(--nav-active-ground)' },
  '&:disabled, &[aria-disabled=true]': { opacity: 0.48, pointerEvents: 'none' as const },
});
