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

const colour = (lighter: string, light: string, main: string, dark: string, darker: string, contrastText: string) => ({
  lighter,
  light,
  main,
  dark,
  darker,
  contrastText,
});

export const primary = colour('#C8FAD6', '#5BE49B', '#00A76F', '#007867', '#004B50', '#FFFFFF');
const shared = {
  primary,
  secondary: colour('#EFD6FF', '#C684FF', '#8E33FF', '#5119B7', '#27097A', '#FFFFFF'),
  info: colour('#CAFDF5', '#61F3F3', '#00B8D9', '#006C9C', '#003768', '#FFFFFF'),
  success: colour('#D3FCD2', '#77ED8B', '#22C55E', '#118D57', '#065E49', '#FFFFFF'),
  warning: colour('#FFF5CC', '#FFD666', '#FFAB00', '#B76E00', '#7A4100', grey[800]),
  error: colour('#FFE9D5', '#FFAC82', '#FF5630', '#B71D18', '#7A0916', '#FFFFFF'),
  divider: 'rgba(145, 158, 171, 0.2)',
  grey,
};

export const lightPalette = {
  ...shared,
  text: { primary: grey[800], secondary: '#5A6875', disabled: grey[500] },
  background: { paper: '#FFFFFF', default: grey[100] },
  action: { hover: 'rgba(145, 158, 171, 0.08)', selected: 'rgba(145, 158, 171, 0.16)', active: grey[600] },
};
export const darkPalette = {
  ...shared,
  text: { primary: '#FFFFFF', secondary: '#9DA9B5', disabled: grey[600] },
  background: { paper: grey[800], default: grey[900] },
  action: { hover: 'rgba(145, 158, 171, 0.08)', selected: 'rgba(145, 158, 171, 0.16)', active: grey[500] },
};

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
