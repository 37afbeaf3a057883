import { useColorScheme } from '@mui/material/styles';

/** Whether the dark scheme is drawn. For what cannot read CSS variables; the rest follows by itself. */
export function useDark(): boolean {
  const { mode, systemMode } = useColorScheme();
  return (mode === 'system' ? systemMode : mode) === 'dark';
}
