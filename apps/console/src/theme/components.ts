import type { Language } from '@breakwater/contract';
import { partText } from './part.text.ts';
import { plainParts } from './plain-parts.ts';
import type { Components, Direction, Theme } from '@mui/material/styles';

/** A colour for small text, which the main ones are too bright for: white on the main green has a contrast of 3.1. */
const readable = (theme: Theme, tone: 'primary' | 'error') => ({
  color: theme.vars!.palette[tone].dark,
  ...theme.applyStyles('dark', { color: theme.vars!.palette[tone].light }),
});
const focusedAndWrong = (theme: Theme) => ({
  '&.Mui-focused:not(.Mui-error)': readable(theme, 'primary'),
  '&.Mui-error': readable(theme, 'error'),
});

/** How MUI's parts look here. Differences from MUI's defaults only. */
export const components = (
  highContrast: boolean,
  language: Language,
  direction: Direction,
): Components<Theme> => ({
  MuiCssBaseline: { styleOverrides: pageLook(highContrast, direction) },
  ...base,
  ...(highContrast ? contrasted : {}),
  MuiAutocomplete: { defaultProps: { size: 'small', ...partText[language].autocomplete } },
  MuiAlert: { ...base.MuiAlert, defaultProps: partText[language].alert },
});

/** What holds for the whole page. */
const pageLook = (highContrast: boolean, direction: Direction) => ({
  ...plainParts(highContrast),
  ...autoFill,
  ...(direction === 'rtl' ? mirroredLook : {}),
  body: { WebkitFontSmoothing: 'antialiased', fontFeatureSettings: '"tnum" 1' },
  // Browsers give them a font of their own, whose digits would be narrower than those around them.
  'button, input, select, textarea': { fontFeatureSettings: 'inherit' },
  '*:focus-visible': { outlineOffset: 2 },
  '@media (prefers-reduced-motion: reduce)': {
    '*, *::before, *::after': {
      animationDuration: '0.01ms !important',
      // One that goes on for ever would flicker.
      animationIterationCount: '1 !important',
      transitionDuration: '0.01ms !important',
    },
  },
});

/**
 * Mirrored, the layout runs from the right, yet Chinese and English still read from the left: `2.45 Gbps`, not `Gbps 2.45`.
 * (`left` is mirrored with everything else.) Only where it is: with `:has()` each element that comes has those around it
 * looked at anew.
 */
const mirroredLook = {
  '[dir="rtl"] body': { textAlign: 'left' },
  '[dir="rtl"] :is(input, textarea):not([dir])': { textAlign: 'left' },
  '[dir="rtl"] body *:not(:has(button, input, svg))': { unicodeBidi: 'plaintext' },
};

/**
 * By these animations MUI notices what a browser fills in by itself. Each input would bring them along, and every time one
 * comes or goes browsers work out the styles of the whole page anew.
 */
const autoFill = {
  // Of something, or Emotion leaves them out, and of nothing that is seen.
  '@keyframes mui-auto-fill': { from: { animationName: 'mui-auto-fill' } },
  '@keyframes mui-auto-fill-cancel': { from: { animationName: 'mui-auto-fill-cancel' } },
  '.MuiInputBase-input': { animation: '10ms mui-auto-fill-cancel' },
  '.MuiInputBase-input:-webkit-autofill': { animation: '5000s mui-auto-fill' },
};

const base: Components<Theme> = {
  MuiInputBase: { defaultProps: { disableInjectingGlobalStyles: true } },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: {
      root: { minHeight: 36 },
      sizeSmall: { minHeight: 30 },
      sizeLarge: { minHeight: 48 },
    },
    variants: [
      {
        // White on the main green has a contrast of 3.1; on the dark one 5.4, which small text needs.
        props: { variant: 'contained', color: 'primary' },
        style: ({ theme }) => ({
          color: theme.vars!.palette.common.white,
          backgroundColor: theme.vars!.palette.primary.dark,
          '&:hover': { backgroundColor: theme.vars!.palette.primary.darker },
        }),
      },
      {
        props: { variant: 'contained', color: 'error' },
        style: ({ theme }) => ({ backgroundColor: theme.vars!.palette.error.dark }),
      },
      {
        props: { variant: 'outlined', color: 'inherit' },
        style: () => ({ borderColor: 'rgba(145, 158, 171, 0.32)' }),
      },
      { props: { variant: 'text', color: 'primary' }, style: ({ theme }) => readable(theme, 'primary') },
      { props: { variant: 'outlined', color: 'primary' }, style: ({ theme }) => readable(theme, 'primary') },
      { props: { variant: 'text', color: 'error' }, style: ({ theme }) => readable(theme, 'error') },
      { props: { variant: 'outlined', color: 'error' }, style: ({ theme }) => readable(theme, 'error') },
    ],
  },
  MuiLink: {
    defaultProps: { underline: 'hover' },
    styleOverrides: {
      root: ({ theme }) => readable(theme, 'primary'),
    },
  },
  MuiFormLabel: { styleOverrides: { root: ({ theme }) => focusedAndWrong(theme) } },
  MuiFormHelperText: {
    styleOverrides: {
      root: ({ theme }) => ({
        // A hint is read where its field is off, too.
        '&.Mui-disabled': { color: theme.vars!.palette.text.secondary },
        '&.Mui-error': readable(theme, 'error'),
        // No single word, or Chinese character, alone in the last line.
        textWrap: 'pretty',
      }),
    },
  },
  // The rest of a bar is neutral: a tint of its colour looks like a full bar.
  MuiLinearProgress: { styleOverrides: { determinate: { backgroundColor: 'rgba(145, 158, 171, 0.24)' } } },
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiCard: {
    defaultProps: { elevation: 0 },
    styleOverrides: {
      root: ({ theme }) => ({
        position: 'relative',
        borderRadius: 12,
        boxShadow: '0 0 2px 0 rgba(145, 158, 171, 0.24), 0 8px 20px -6px rgba(145, 158, 171, 0.16)',
        ...theme.applyStyles('dark', {
          boxShadow: '0 0 2px 0 rgba(0, 0, 0, 0.4), 0 8px 20px -6px rgba(0, 0, 0, 0.3)',
        }),
        // On its own colour a shadow says little.
        '& .MuiCard-root': { boxShadow: 'none', border: `1px solid ${theme.vars!.palette.divider}` },
      }),
    },
  },
  MuiDialog: { styleOverrides: { paper: { borderRadius: 12 } } },
  MuiDialogActions: { styleOverrides: { root: { padding: '8px 24px 20px' } } },
  MuiDrawer: { styleOverrides: { paper: { backgroundImage: 'none' } } },
  MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
  MuiSelect: {
    defaultProps: { size: 'small' },
    // A long choice takes a second line instead of being cut.
    styleOverrides: { select: { whiteSpace: 'normal' } },
  },
  MuiTableCell: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderBottomStyle: 'solid',
        borderColor: theme.vars!.palette.divider,
        // Small tables within cards fit a phone.
        [theme.breakpoints.down('sm')]: { paddingInline: 8 },
      }),
      head: ({ theme }) => ({
        fontSize: 13,
        fontWeight: 600,
        color: theme.vars!.palette.text.secondary,
        backgroundColor: 'rgba(145, 158, 171, 0.08)',
        borderBottom: 'none',
        whiteSpace: 'nowrap',
      }),
    },
  },
  MuiTab: {
    styleOverrides: {
      root: { minHeight: 48, minWidth: 48, padding: '12px 4px', marginRight: 24, fontSize: 14 },
      // The main green on white has a contrast of 3.1.
      textColorPrimary: ({ theme }) => ({
        '&.Mui-selected': readable(theme, 'primary'),
      }),
    },
  },
  MuiTabs: { styleOverrides: { indicator: { height: 2, borderRadius: 2 } } },
  MuiChip: { styleOverrides: { root: { fontWeight: 500, borderRadius: 8 } } },
  // The colour of icons, which it has by itself, is too light for words on the page's ground.
  MuiToggleButton: {
    styleOverrides: { root: ({ theme }) => ({ color: theme.vars!.palette.text.secondary }) },
  },
  MuiTooltip: { defaultProps: { arrow: true } },
  // A heading is written out, at its place in the order of headings.
  MuiTypography: { defaultProps: { variantMapping: { subtitle1: 'p', subtitle2: 'p' } } },
  MuiAlert: {
    styleOverrides: { root: { borderRadius: 8 }, message: { minWidth: 0, overflowWrap: 'anywhere' } },
  },
};

/** What high contrast changes beyond colours: cards have borders, links lines. */
const contrasted: Components<Theme> = {
  MuiLink: { ...base.MuiLink, defaultProps: { underline: 'always' } },
  MuiCard: {
    ...base.MuiCard,
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 12,
        border: `1px solid ${theme.vars!.palette.divider}`,
        boxShadow: 'none',
        position: 'relative',
      }),
    },
  },
};
