import type { AddressList } from '@breakwater/contract';
import { Box, Button, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { notify } from '../../kit/toast.ts';
import { monospace } from '../../theme/theme.ts';
import { addressListText } from './address-list.text.ts';

const box = {
  fontFamily: monospace,
  fontSize: 13,
  m: 0,
  p: 1.5,
  maxHeight: 320,
  overflow: 'auto',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;

/** Whom rules put on a list, and the ways off it. What is done here is done at once, whatever becomes of the form. */
export function AddedEntries({ list }: { list: AddressList & { content: string } }) {
  const t = useText(addressListText);
  const { mutateAsync, isPending } = useChange('removeAddressListEntries');
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isClearing, setClearing] = useState(false);
  // None named means all: how many those were is named with them.
  const takeOff = async (addresses: string[], expected_total?: number) => {
    const { removed } = await mutateAsync({ params: { id: list.id }, body: { addresses, expected_total } });
    notify.success(t.cleared(removed));
  };
  const takeOne = () =>
    takeOff([address.trim()]).then(
      () => {
        setAddress('');
        setProblem(undefined);
      },
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  if (list.content === '')
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t.addedNone}
      </Typography>
    );
  return (
    <Stack sx={{ gap: 2 }}>
      <Box>
        <Typography variant="subtitle2" component="h3">
          {t.added}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
          {t.addedHint}
        </Typography>
        <Box component="pre" dir="ltr" tabIndex={0} aria-label={t.added} sx={box}>
          {list.content}
        </Box>
      </Box>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'flex-start', flexWrap: 'wrap' }}>
        <TextField
          size="small"
          label={t.takeOff}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
          error={problem !== undefined}
          helperText={problem ?? t.takeOffHint}
          sx={{ flex: '1 1 220px' }}
        />
        <Button
          variant="outlined"
          color="inherit"
          disabled={address.trim() === ''}
          loading={isPending}
          onClick={() => void takeOne()}
        >
          {t.takeOffDo}
        </Button>
        <Button color="error" onClick={() => setClearing(true)}>
          {t.clear}
        </Button>
      </Stack>
      {isClearing && (
        <ClearAll id={list.id} takeOff={(total) => takeOff([], total)} onClose={() => setClearing(false)} />
      )}
    </Stack>
  );
}

interface ClearAllProps {
  id: number;
  takeOff: (total: number) => Promise<void>;
  onClose: () => void;
}

/** Takes off all that are on it as it is asked: as many as are said here, and no more. */
function ClearAll({ id, takeOff, onClose }: ClearAllProps) {
  const t = useText(addressListText);
  const kit = useText(kitText);
  const { data: list, error, refetch } = useFormRead('getAddressList', { params: { id } });
  return (
    <Confirm
      title={t.clear}
      body={
        <Typography role="status">{list ? t.clearBody(list.name, list.entry_count) : kit.loading}</Typography>
      }
      action={t.clear}
      onConfirm={async () => {
        if (!list) throw new Error(error?.message ?? kit.loading);
        try {
          await takeOff(list.entry_count);
        } finally {
          // Refused because more were put on it by then, it is asked again with the new number.
          void refetch();
        }
      }}
      onClose={onClose}
    />
  );
}
