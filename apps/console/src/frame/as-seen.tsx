import { errors } from '@breakwater/contract';
import { Alert, Box } from '@mui/material';
import { useState } from 'react';
import type { Row } from '../api/client.ts';
import { readRow } from '../api/fresh-row.ts';
import type { ListName } from '../api/options.ts';
import { useText } from '../i18n/text.ts';
import { Facts, type Fact } from '../kit/facts.tsx';
import { isRefusal } from '../kit/form/refusal.ts';
import { kitText } from '../kit/kit.text.ts';
import { asSeenText } from './as-seen.text.ts';

interface Versioned {
  id: number;
  version: number;
}

/**
 * Something that is done with a row as it was seen: a decision. Where somebody else was faster it is not done; the row is read
 * anew, for whoever has seen what became of it to send theirs again. `isNews`: that was so.
 */
export function useAsSeen<Name extends ListName, Item extends Row<Name> & Versioned>(list: Name, row: Item) {
  const [seen, setSeen] = useState(row);
  return {
    seen,
    isNews: seen.version !== row.version,
    /** Answers whether it was done. Throws what it is refused with otherwise. */
    asSeen: async (act: (seen: Item) => Promise<unknown>): Promise<boolean> => {
      try {
        await act(seen);
        return true;
      } catch (error) {
        if (!isRefusal(error) || error.code !== errors.stale_version.code) throw error;
        const now = (await readRow(list, seen.id)) as Item | undefined;
        if (!now || now.version <= seen.version) throw error;
        setSeen(now);
        return false;
      }
    },
  };
}

/** What somebody else has made of it meanwhile. */
export function NewsNotice({ facts }: { facts: readonly Fact[] }) {
  const kit = useText(kitText);
  const t = useText(asSeenText);
  return (
    <Alert severity="warning" slotProps={{ message: { sx: { flex: 1, minWidth: 0 } } }}>
      <strong>{kit.staleTitle}</strong>
      <br />
      {t.notDone}
      <Box sx={{ mt: 2 }}>
        <Facts facts={facts} columns={1} />
      </Box>
    </Alert>
  );
}
