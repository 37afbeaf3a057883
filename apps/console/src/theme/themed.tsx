import { CacheProvider } from '@emotion/react';
import { CssBaseline } from '@mui/material';
import { ThemeProvider, useColorScheme } from '@mui/material/styles';
import { useEffect, useMemo, type ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { useDirection } from './direction.ts';
import { loadFont } from './fonts.ts';
import { schemeKey, schemeStorage } from './scheme-storage.ts';
import { useSettings } from './settings.ts';
import { makeTheme } from './theme.ts';

/** Draws the console by the reader's settings, and anew when they change. */
export function Themed({ children }: { children: ReactNode }) {
  const { colorScheme, contrast, primaryColor, fontFamily, direction: wanted } = useSettings();
  const language = useLanguage();
  const { direction, cache } = useDirection(wanted);
  const theme = useMemo(
    () => makeTheme({ contrast, primaryColor, fontFamily, direction, language }),
    [contrast, primaryColor, fontFamily, direction, language],
  );
  useEffect(() => loadFont(fontFamily), [fontFamily]);
  return (
    <CacheProvider value={cache}>
      <ThemeProvider
        theme={theme}
        defaultMode={colorScheme}
        modeStorageKey={schemeKey}
        storageManager={schemeStorage}
        disableTransitionOnChange
      >
        <CssBaseline enableColorScheme />
        <Scheme scheme={colorScheme} />
        {children}
      </ThemeProvider>
    </CacheProvider>
  );
}

function Scheme({ scheme }: { scheme: 'light' | 'dark' }) {
  const { mode, setMode } = useColorScheme();
  useEffect(() => {
    if (mode !== undefined && mode !== scheme) setMode(scheme);
  }, [mode, scheme, setMode]);
  return null;
}
