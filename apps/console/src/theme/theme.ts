import type { Language } from '@breakwater/contract';
import { createTheme, type Theme } from '@mui/material/styles';
import { components } from './components.ts';
import { fontStack } from './fonts.ts';
import { palettes } from './palette.ts';
import type { Settings } from './settings.ts';

/** Monospaced text: ids, addresses, code. */
export const monospace = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** The theme of the reader's settings; the scheme is not in it: both are, and the root element says which is drawn. */
export function makeTheme({
  primaryColor,
  contrast,
  fontFamily,
  direction,
  language,
}: Pick<Settings, 'primaryColor' | 'contrast' | 'fontFamily' | 'direction'> & { language: Language }): Theme {
  const high = contrast === 'hight';
  const { light, dark } = palettes(primaryColor, high);
  return createTheme({
    cssVariables: { colorSchemeSelector: 'data-color-scheme' },
    colorSchemes: { light: { palette: light }, dark: { palette: dark } },
    direction,
    shape: { borderRadius: 8 },
    typography: { ...typography, fontFamily: fontStack(fontFamily) },
    components: components(high, language, direction),
  });
}

const typography = {
  fontWeightMedium: 600,
  h3: { fontSize: '2rem', fontWeight: 700, lineHeight: 1.35 },
  h4: { fontSize: '1.5rem', fontWeight: 700, lineHeight: 1.4 },
  h5: { fontSize: '1.25rem', fontWeight: 700, lineHeight: 1.5 },
  h6: { fontSize: '1.0625rem', fontWeight: 600, lineHeight: 1.5 },
  subtitle1: { fontWeight: 600, lineHeight: 1.5 },
  subtitle2: { fontWeight: 600, fontSize: '0.875rem', lineHeight: 22 / 14 },
  body1: { fontSize: '0.9375rem', lineHeight: 1.6 },
  body2: { fontSize: '0.875rem', lineHeight: 22 / 14 },
  caption: { fontSize: '0.75rem', lineHeight: 1.5 },
  overline: { fontSize: '0.6875rem', fontWeight: 700, letterSpacing: '0.04em' },
  button: { fontWeight: 600, textTransform: 'none' as const },
};
