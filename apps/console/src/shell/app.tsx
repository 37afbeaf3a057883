import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { isConfigKnown, loadConfig } from '../api/config.ts';
import { queryClient } from '../api/query.ts';
import { Themed } from '../theme/themed.tsx';
import { ErrorPage } from './error-page.tsx';
import { FullScreenLoading } from './full-screen-loading.tsx';
import { router } from './router.tsx';

export function App() {
  return (
    <Themed>
      <QueryClientProvider client={queryClient}>
        {isConfigKnown ? <RouterProvider router={router} /> : <Configured />}
      </QueryClientProvider>
    </Themed>
  );
}

/** Nothing can be asked before the server's addresses are known. Only a page that was not served by it has to ask. */
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
