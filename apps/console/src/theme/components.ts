import type { Language } from '@breakwater/contract';
import { partText } from './part.text.ts';
import type { Components, Theme } from '@mui/material/styles';

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
export const components = (highContrast: boolean, language: Language): Components<Theme> => ({
  ...base,
  ...(highContrast ? contrasted : {}),
  MuiAutocomplete: { defaultProps: { size: 'small', ...partText[language].autocomplete } },
  MuiAlert: { ...base.MuiAlert, defaultProps: partText[language].alert },
});

/** The button of a list's row: a plain element, as `textLink` is. */
const iconButton = {
  '.icon-button': {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    padding: 6,
    border: 0,
    borderRadius: '50%',
    background: 'none',
    color: 'var(--mui-palette-action-active)',
    cursor: 'pointer',
  },
  // Beside those of the header.
  '.icon-button.control': { width: 40, height: 40 },
  '.icon-button.named': {
    width: 'auto',
    gap: 8,
    paddingInline: 10,
    borderRadius: 8,
    font: 'inherit',
    fontSize: 14,
    color: 'var(--mui-palette-text-primary)',
  },
  // A name says which language it is without a flag; a flag alone does not.
  '@media (max-width: 599.95px)': { '.icon-button.named > svg': { display: 'none' } },
  // What is off and says why is pointed at for the reason, which MUI lets nobody do.
  '.denied.denied.Mui-disabled': { pointerEvents: 'auto', cursor: 'not-allowed' },
  '.icon-button:hover': { backgroundColor: 'var(--mui-palette-action-hover)' },
};

/** A link in text, as `TextLink` of the kit draws it: a plain element, since lists are full of them. */
const textLink = (underline: boolean) => ({
  '.text-link': {
    fontWeight: 600,
    overflowWrap: 'anywhere' as const,
    color: 'var(--mui-palette-primary-dark)',
    textDecoration: underline ? 'underline' : 'none',
  },
  // What does something on this page instead of leading to another one.
  'button.text-link': {
    border: 0,
    padding: 0,
    background: 'none',
    font: 'inherit',
    fontWeight: 600,
    cursor: 'pointer',
  },
  '.text-link:hover': { textDecoration: 'underline' },
  // Weighs no more than the light one: what colours its links does so in both schemes.
  ':where([data-color-scheme="dark"]) .text-link': { color: 'var(--mui-palette-primary-light)' },
});

const base: Components<Theme> = {
  MuiCssBaseline: {
    styleOverrides: {
      ...textLink(false),
      ...iconButton,
      body: { WebkitFontSmoothing: 'antialiased', fontFeatureSettings: '"tnum" 1' },
      // Browsers give them a font of their own, whose digits would be narrower than those around them.
      'button, input, select, textarea': { fontFeatureSettings: 'inherit' },
      '*:focus-visible': { outlineOffset: 2 },
      // Mirrored, the layout runs from the right, yet Chinese and English still read from the left: `2.45 Gbps`, not
      // `Gbps 2.45`. (`left` is mirrored with everything else.)
      '[dir="rtl"] body': { textAlign: 'left' },
      '[dir="rtl"] :is(input, textarea):not([dir])': { textAlign: 'left' },
      '[dir="rtl"] body *:not(:has(button, input, svg))': { unicodeBidi: 'plaintext' },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': {
          animationDuration: '0.01ms !important',
          // One that goes on for ever would flicker.
          animationIterationCount: '1 !important',
          transitionDuration: '0.01ms !important',
        },
      },
    },
  },
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
  MuiCssBaseline: {
    styleOverrides: { ...(base.MuiCssBaseline!.styleOverrides as object), ...textLink(true) },
  },
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
