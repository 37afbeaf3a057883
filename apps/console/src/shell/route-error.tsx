import { useRouter } from '@tanstack/react-router';
import { FatalError } from '../api/fatal-error.ts';
import { ErrorPage, type ErrorPageProps } from './error-page.tsx';

/** The error page where the router shows it: what broke may have been a guard's or a screen's question, which is asked again. */
export function RouteError({ error, reset }: ErrorPageProps) {
  const router = useRouter();
  if (error instanceof FatalError) throw error;
  return (
    <ErrorPage
      error={error}
      reset={async () => {
        await reset();
        await router.invalidate();
      }}
    />
  );
}
