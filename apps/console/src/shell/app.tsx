import { CssBaseline } from '@mui/material';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Toaster } from 'sonner';
import { loadConfig } from '../api/config.ts';
import { queryClient } from '../api/query.ts';
import { useDark } from '../kit/dark.ts';
import { settings } from '../theme/settings.ts';
import { theme } from '../theme/theme.ts';
import { ErrorPage } from './error-page.tsx';
import { FullScreenLoading } from './full-screen-loading.tsx';
import { router } from './router.tsx';

export function App() {
  return (
    <ThemeProvider theme={theme} defaultMode={settings.get().colorScheme} modeStorageKey="theme-mode" disableTransitionOnChange>
      <CssBaseline enableColorScheme />
      <QueryClientProvider client={queryClient}>
        <Configured />
        <Toasts />
      </QueryClientProvider>
    </ThemeProvider>
  );
}

/** Nothing can be asked before the server's addresses are known. */
function Configured() {
  const { isSuccess, error, refetch } = useQuery({
    queryKey: ['config.json'],
    queryFn: () => loadConfig().then(() => true),
    staleTime: Infinity,
    retry: 1,
  });
  if (error) return <ErrorPage error={error} reset={() => void refetch()} />;
  return isSuccess ? <RouterProvider router={router} /> : <FullScreenLoading />;
}

function Toasts() {
  return <Toaster richColors closeButton position="top-right" theme={useDark() ? 'dark' : 'light'} />;
}
