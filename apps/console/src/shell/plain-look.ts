import type { Theme } from '@mui/material/styles';

/** The size and weight of a kind of text; its family is the page's. */
export function textLook(
  theme: Theme,
  kind: 'h3' | 'h4' | 'h5' | 'h6' | 'body1' | 'body2' | 'caption' | 'button',
) {
  const { fontSize, fontWeight, lineHeight, letterSpacing } = theme.typography[kind];
  return { fontSize, fontWeight, lineHeight, letterSpacing };
}

/**
 * A button as MUI's contained and outlined ones look, for pages that every visitor waits for: theirs would be much of
 * what these pages weigh. Waiting, it turns a ring instead of its words.
 */
export const buttonLook = (theme: Theme) => {
  const { palette } = theme.vars!;
  return {
    '& .button': {
      ...textLook(theme, 'button'),
      position: 'relative' as const,
      boxSizing: 'border-box' as const,
      minHeight: 36,
      padding: '5px 15px',
      border: '1px solid rgba(145, 158, 171, 0.32)',
      borderRadius: 8,
      color: 'inherit',
      background: 'none',
      fontFamily: 'inherit',
      textAlign: 'center' as const,
      textDecoration: 'none',
      cursor: 'pointer',
      transition: 'background-color 250ms',
    },
    '& .button:hover': { backgroundColor: palette.action.hover },
    '& .button:focus-visible': { outline: `2px solid ${palette.primary.main}` },
    '& .button.filled': {
      borderColor: 'transparent',
      color: palette.common.white,
      backgroundColor: palette.primary.dark,
    },
    '& .button.filled:hover': { backgroundColor: palette.primary.darker },
    '& .button[aria-busy=true]': {
      color: 'transparent',
      backgroundColor: palette.action.disabledBackground,
      cursor: 'default',
    },
    '@keyframes button-turn': { to: { transform: 'rotate(360deg)' } },
    '& .button[aria-busy=true]::after': {
      content: '""',
      position: 'absolute' as const,
      inset: 'calc(50% - 8px)',
      width: 16,
      height: 16,
      boxSizing: 'border-box' as const,
      borderRadius: '50%',
      border: `2px solid ${palette.text.disabled}`,
      borderTopColor: 'transparent',
      animation: 'button-turn 1s linear infinite',
    },
  };
};
