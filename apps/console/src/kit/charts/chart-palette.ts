import { useTheme, type Palette, type Theme } from '@mui/material/styles';
import { useDark } from '../dark.ts';

export type ChartTone = 'primary' | 'info' | 'success' | 'warning' | 'error' | 'secondary';
export const chartTones: readonly ChartTone[] = [
  'primary',
  'info',
  'warning',
  'secondary',
  'error',
  'success',
];

export type ChartPalette = Pick<Palette, 'text' | 'divider' | 'background' | ChartTone> & { dark: boolean };

/** The colours that are drawn now, as values: a chart's own drawing cannot read CSS variables. */
export function useChartPalette(): ChartPalette {
  const theme: Theme & { colorSchemes?: Partial<Record<'light' | 'dark', { palette: Palette }>> } =
    useTheme();
  const dark = useDark();
  const { palette } = theme.colorSchemes?.[dark ? 'dark' : 'light'] ?? theme;
  const { text, divider, background, primary, info, success, warning, error, secondary } = palette;
  return { dark, text, divider, background, primary, info, success, warning, error, secondary };
}

/** A tone's colour that stands out from the paper. */
export function toneColour(tone: ChartTone, palette: ChartPalette): string {
  return palette.dark && tone === 'secondary' ? palette[tone].light : palette[tone].main;
}
