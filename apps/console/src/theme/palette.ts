import type { PrimaryColor } from './settings.ts';

/** Colours of both schemes. Greys are one scale, so that surfaces, borders and text stay in step. */
export const grey = {
  50: '#FCFDFD',
  100: '#F9FAFB',
  200: '#F4F6F8',
  300: '#DFE3E8',
  400: '#C4CDD5',
  500: '#919EAB',
  600: '#637381',
  700: '#454F5B',
  800: '#1C252E',
  900: '#141A21',
};

const colour = (
  lighter: string,
  light: string,
  main: string,
  dark: string,
  darker: string,
  contrastText: string,
) => ({
  lighter,
  light,
  main,
  dark,
  darker,
  contrastText,
});

/** The primary colours of the settings. `dark` is read as small text on white and on its own tint: 4.5 to 1 or more. */
const primaries: Record<PrimaryColor, ReturnType<typeof colour>> = {
  default: colour('#C8FAD6', '#5BE49B', '#00A76F', '#007867', '#004B50', '#FFFFFF'),
  cyan: colour('#D2EAFC', '#5EB5F4', '#078DEE', '#0567B3', '#033D72', '#FFFFFF'),
  purple: colour('#E6DBF9', '#AE88EA', '#7635DC', '#5B28AE', '#3B1876', '#FFFFFF'),
  blue: colour('#D3E4FB', '#66A0F1', '#0C68E9', '#0A53BB', '#073678', '#FFFFFF'),
  orange: colour('#FFF0D9', '#FEC776', '#FDA92D', '#906022', '#5C3C17', grey[800]),
  red: colour('#FFDADA', '#FF7878', '#FF3030', '#BF2429', '#731621', '#FFFFFF'),
};
/** Here too `dark` is read as small text on white. */
const shared = {
  secondary: colour('#EFD6FF', '#C684FF', '#8E33FF', '#5119B7', '#27097A', '#FFFFFF'),
  info: colour('#CAFDF5', '#61F3F3', '#00B8D9', '#005F8A', '#003768', '#FFFFFF'),
  success: colour('#D3FCD2', '#77ED8B', '#22C55E', '#10804F', '#065E49', '#FFFFFF'),
  warning: colour('#FFF5CC', '#FFD666', '#FFAB00', '#A36200', '#7A4100', grey[800]),
  error: colour('#FFE9D5', '#FFAC82', '#FF5630', '#B71D18', '#7A0916', '#FFFFFF'),
  divider: 'rgba(145, 158, 171, 0.2)',
  grey,
};

const lightPalette = {
  ...shared,
  primary: primaries.default,
  text: { primary: grey[800], secondary: '#5A6875', disabled: grey[500] },
  background: { paper: '#FFFFFF', default: grey[100] },
  action: { hover: 'rgba(145, 158, 171, 0.08)', selected: 'rgba(145, 158, 171, 0.16)', active: grey[600] },
};
const darkPalette = {
  ...shared,
  primary: primaries.default,
  text: { primary: '#FFFFFF', secondary: '#9DA9B5', disabled: grey[600] },
  background: { paper: grey[800], default: grey[900] },
  action: { hover: 'rgba(145, 158, 171, 0.08)', selected: 'rgba(145, 158, 171, 0.16)', active: grey[500] },
};

/** High contrast: text and borders are darker on light and lighter on dark, surfaces further apart. */
const lightContrast = {
  text: { primary: '#0B0F13', secondary: '#3A444E', disabled: grey[600] },
  background: { paper: '#FFFFFF', default: '#EDF0F3' },
  divider: 'rgba(69, 79, 91, 0.55)',
};
const darkContrast = {
  text: { primary: '#FFFFFF', secondary: grey[300], disabled: grey[500] },
  background: { paper: '#161C23', default: '#0B0F13' },
  divider: 'rgba(196, 205, 213, 0.5)',
};

export function palettes(primary: PrimaryColor, highContrast: boolean) {
  const chosen = { primary: primaries[primary] };
  return {
    light: { ...lightPalette, ...chosen, ...(highContrast ? lightContrast : {}) },
    dark: { ...darkPalette, ...chosen, ...(highContrast ? darkContrast : {}) },
  };
}
export const swatch = (primary: PrimaryColor): string => primaries[primary].main;

declare module '@mui/material/styles' {
  interface PaletteColor {
    lighter: string;
    darker: string;
  }
  interface SimplePaletteColorOptions {
    lighter?: string;
    darker?: string;
  }
}
