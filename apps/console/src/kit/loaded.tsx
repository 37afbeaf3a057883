import { Alert, Box, Button, CircularProgress } from '@mui/material';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { EmptyState } from './empty-state.tsx';
import { kitText } from './kit.text.ts';

/** What a part needs of a read; a query of TanStack Query is one. */
export interface Read<Data> {
  data: Data | undefined;
  error: { message: string; status?: number } | null;
  isFetching: boolean;
  /** What is shown answers an earlier question; the answer to this one is on its way. */
  isPlaceholderData?: boolean;
  refetch: () => unknown;
}

export function LoadError({ read }: { read: Read<unknown> }) {
  const t = useText(kitText);
  // Asking again for what is not there would change nothing.
  if (read.error?.status === 404)
    return <EmptyState icon="search" title={read.error.message} hint={t.goneHint} />;
  return (
    <Alert
      severity="error"
      action={
        <Button color="inherit" size="small" loading={read.isFetching} onClick={() => void read.refetch()}>
          {t.retry}
        </Button>
      }
    >
      {t.loadFailed(read.error?.message ?? '')}
    </Alert>
  );
}

/** In the place of what is on its way. */
export function Loading() {
  const t = useText(kitText);
  return (
    <Box role="status" aria-label={t.loading} sx={{ display: 'grid', placeItems: 'center', minHeight: 160 }}>
      <CircularProgress size={32} aria-hidden="true" />
    </Box>
  );
}

/** Shows what was read, or that it is on its way, or why it failed with a way to try again. */
export function Loaded<Data>({ read, children }: { read: Read<Data>; children: (data: Data) => ReactNode }) {
  if (read.data !== undefined) return <>{children(read.data)}</>;
  return read.error ? <LoadError read={read} /> : <Loading />;
}
