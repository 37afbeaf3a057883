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
 * Something that is done with what was seen: a decision about a row. Where somebody else was faster it is not done; what stands
 * by now is read, for whoever has seen it to send theirs again. `isNews`: that was so.
 */
export function useSeen<Item>(
  opened: Item,
  versionOf: (item: Item) => number,
  read: (item: Item) => Promise<Item | undefined>,
) {
  // What is shown behind it may be newer by now, which was not looked at.
  const [first] = useState(opened);
  const [news, setNews] = useState<Item>();
  const seen = news ?? first;
  return {
    seen,
    isNews: news !== undefined,
    /** Answers whether it was done. Throws what it is refused with otherwise. */
    asSeen: async (act: (seen: Item) => Promise<unknown>): Promise<boolean> => {
      try {
        await act(seen);
        return true;
      } catch (error) {
        if (!isRefusal(error) || error.code !== errors.stale_version.code) throw error;
        const now = await read(seen);
        if (now === undefined || versionOf(now) === versionOf(seen)) throw error;
        setNews(now);
        return false;
      }
    },
  };
}

/** Of a row of a list that may be asked for it by its id. */
export const useAsSeen = <Name extends ListName, Item extends Row<Name> & Versioned>(list: Name, row: Item) =>
  useSeen(
    row,
    ({ version }) => version,
    async ({ id }) => (await readRow(list, id)) as Item | undefined,
  );

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
