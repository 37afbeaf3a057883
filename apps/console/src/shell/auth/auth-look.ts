import { styled, type Theme } from '@mui/material/styles';
import { grey } from '../../theme/palette.ts';
import { headerHeight } from '../nav/nav-look.ts';
import { buttonLook, textLook } from '../plain-look.ts';

const contentWidthPx = 420;

/**
 * The pages before sign-in are plain elements whose look stands here once: MUI's fields and texts would be most of what a
 * visitor waits for. They look as MUI's do.
 */
export const AuthFrame = styled('div')(({ theme }) => ({
  display: 'flex',
  minHeight: '100vh',
  backgroundColor: theme.vars!.palette.background.paper,
  '& p, & h1, & ul': { margin: 0 },
  '& .secondary': { color: theme.vars!.palette.text.secondary },
  ...sides(theme),
  ...form(theme),
  ...field(theme),
  ...buttonLook(theme),
  '& .submit': { minHeight: 48, padding: '7px 21px', fontSize: '0.9375rem' },
}));

const sides = (theme: Theme) => ({
  '& aside': {
    display: 'none',
    flex: '1 1 0',
    maxWidth: 620,
    flexDirection: 'column' as const,
    justifyContent: 'center',
    alignItems: 'center',
    gap: 40,
    padding: 40,
    textAlign: 'center' as const,
    color: grey[100],
    '--auth-active': '#5BE49B',
    background: `radial-gradient(120% 90% at 0% 0%, #00553f 0%, transparent 60%), radial-gradient(90% 70% at 100% 100%, #003768 0%, transparent 65%), ${grey[900]}`,
    [theme.breakpoints.up('md')]: { display: 'flex' },
    [theme.breakpoints.up('lg')]: { padding: 64 },
  },
  '& aside .claim': { ...textLook(theme, 'h3'), marginBottom: 12, overflowWrap: 'anywhere' as const },
  '& aside .subtitle': { color: grey[400] },
  '& .picture': { width: '100%', maxWidth: 480, height: 'auto', display: 'block' },
  ...page(theme),
});

/** The side of the form: a header, the form, a footer. */
const page = (theme: Theme) => ({
  '& .side': { flex: '1 1 0', minWidth: 0, display: 'flex', flexDirection: 'column' as const },
  '& header': {
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    height: headerHeight.xs,
    padding: '0 16px',
    [theme.breakpoints.up('sm')]: { padding: '0 32px' },
    [theme.breakpoints.up('md')]: { height: headerHeight.md },
  },
  '& .app': {
    ...textLook(theme, 'h6'),
    flex: 1,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap' as const,
  },
  '& main': {
    flex: 1,
    display: 'flex',
    justifyContent: 'center',
    alignItems: 'center',
    padding: 16,
    [theme.breakpoints.up('sm')]: { padding: 32 },
  },
  '& .content': { width: '100%', maxWidth: contentWidthPx },
  '& .narrow': {
    marginBottom: 32,
    '--auth-active': theme.vars!.palette.primary.main,
    [theme.breakpoints.up('md')]: { display: 'none' },
  },
  '& .narrow .claim': { ...textLook(theme, 'h4'), overflowWrap: 'anywhere' as const },
  '& .narrow .subtitle': { ...textLook(theme, 'body2'), marginTop: 4 },
  '& .narrow.last': { margin: '32px 0 0' },
  '& footer': {
    ...textLook(theme, 'body2'),
    display: 'flex',
    justifyContent: 'center',
    gap: 24,
    padding: 20,
  },
  '& footer .text-link': { fontWeight: 400 },
});

const form = (theme: Theme) => ({
  '& form': { display: 'flex', flexDirection: 'column' as const, gap: 20 },
  '& .pair': {
    display: 'grid',
    gap: 20,
    [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  },
  '& h1': textLook(theme, 'h5'),
  '& .lead': { ...textLook(theme, 'body2'), marginTop: 4 },
  '& .notice': {
    ...textLook(theme, 'body2'),
    padding: 12,
    borderRadius: 8,
    backgroundColor: theme.alpha(theme.vars!.palette.info.main, 0.12),
  },
  '& .notice.error': {
    backgroundColor: theme.alpha(theme.vars!.palette.error.main, 0.12),
    color: theme.vars!.palette.error.dark,
    ...theme.applyStyles('dark', { color: theme.vars!.palette.error.light }),
  },
  '& .passkey': { width: '100%', height: 48, marginTop: 12 },
  '& .switch': { ...textLook(theme, 'body2'), marginTop: 24, textAlign: 'center' as const },
});

/** A field whose label stands in it, and on its border once there is something in it, as MUI's outlined one. */
const field = (theme: Theme) => {
  const { palette } = theme.vars!;
  const around = (colour: string) => ({ borderColor: colour, boxShadow: `inset 0 0 0 1px ${colour}` });
  const reading = (tone: 'primary' | 'error') => ({
    color: palette[tone].dark,
    ...theme.applyStyles('dark', { color: palette[tone].light }),
  });
  return {
    '& .box': {
      position: 'relative' as const,
      display: 'flex',
      alignItems: 'center',
      borderRadius: 8,
      border: `1px solid rgba(${palette.common.onBackgroundChannel} / 0.23)`,
    },
    '& .box:hover': { borderColor: palette.text.primary },
    '& .box:focus-within': around(palette.primary.main),
    '& .wrong .box': { borderColor: palette.error.main },
    '& .wrong .box:focus-within': around(palette.error.main),
    ...entry(theme),
    '& .box:focus-within label': reading('primary'),
    '& .wrong .box label, & .wrong .hint': reading('error'),
    '& .box .icon-button': { padding: 8, marginInlineEnd: 2 },
    '& .hint': { ...textLook(theme, 'caption'), margin: '3px 14px 0', color: palette.text.secondary },
  };
};

const entry = (theme: Theme) => ({
  '& input': {
    ...textLook(theme, 'body1'),
    flex: 1,
    minWidth: 0,
    height: 38,
    padding: '0 14px',
    border: 0,
    borderRadius: 7,
    outline: 0,
    background: 'none',
    color: 'inherit',
    fontFamily: 'inherit',
  },
  '& input::placeholder': { color: 'transparent' },
  '& .box label': {
    ...textLook(theme, 'body1'),
    position: 'absolute' as const,
    top: 0,
    insetInlineStart: 10,
    maxWidth: 'calc(100% - 20px)',
    padding: '0 4px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap' as const,
    color: theme.vars!.palette.text.secondary,
    backgroundColor: theme.vars!.palette.background.paper,
    pointerEvents: 'none' as const,
    transformOrigin: 'top left',
    transform: 'translateY(7px)',
    transition: 'transform 200ms cubic-bezier(0, 0, 0.2, 1)',
  },
  '& input:is(:focus, :not(:placeholder-shown), :autofill, :-webkit-autofill) + label': {
    maxWidth: 'calc(133% - 32px)',
    transform: 'translateY(-10px) scale(0.75)',
  },
});
