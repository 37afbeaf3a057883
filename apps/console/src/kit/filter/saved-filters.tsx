import {
  Box,
  Button,
  IconButton,
  List,
  ListItem,
  ListItemButton,
  ListItemText,
  Popover,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { useState, type FormEvent } from 'react';
import * as z from 'zod';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { Icon } from '../icon.tsx';
import { kitText } from '../kit.text.ts';
import { fits } from '../fits.ts';
import { useRemembered } from '../remembered.ts';
import { useViewLink } from '../table/view-link.ts';
import { notify } from '../toast.ts';
import { filterText } from './filter.text.ts';
import { Hint } from '../hint.tsx';

const savedSchema = z.array(z.object({ name: z.string(), values: z.record(z.string(), z.string()) })).max(50);

interface SavedFiltersProps {
  /** What the saved filters belong to. */
  id: string;
  /** What is set now; nothing where there is nothing to save. */
  values: Record<string, string>;
  /** What the address of a saved one has. */
  addressOf: (values: Record<string, string>) => Record<string, unknown>;
  onApply: (values: Record<string, string>) => void;
}

/**
 * Views that a reader gave a name: filters and, of a table, order and columns. The names stay in this browser; an address
 * shows one to others.
 */
export function SavedFilters({ id, values, addressOf, onApply }: SavedFiltersProps) {
  const t = useText(filterText);
  const [saved, setSaved] = useRemembered(`filters:${id}`, fits(savedSchema), []);
  const kit = useText(kitText);
  const linkTo = useViewLink();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const isSet = Object.keys(values).length > 0;
  if (!isSet && saved.length === 0) return null;
  return (
    <>
      <Hint title={t.saved}>
        <IconButton
          aria-label={t.saved}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Icon name="bookmark" />
        </IconButton>
      </Hint>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t.saved, sx: { width: 320 } } as object }}
      >
        {saved.length === 0 && (
          <Typography variant="body2" sx={{ p: 2, pb: 0, color: 'text.secondary' }}>
            {t.noneSaved}
          </Typography>
        )}
        <List dense disablePadding>
          {saved.map((filter) => (
            <ListItem
              key={filter.name}
              disablePadding
              secondaryAction={
                <>
                  <ActionIcon
                    icon="link"
                    label={t.copySaved(filter.name)}
                    onClick={() =>
                      void linkTo(addressOf(filter.values)).then(() => notify.success(t.savedCopied))
                    }
                  />
                  <ActionIcon
                    icon="delete"
                    label={t.removeSaved(filter.name)}
                    onClick={() => {
                      setSaved(saved.filter((each) => each !== filter));
                      // What the message offers is not to be reached while this covers the page.
                      close();
                      notify.success(t.savedRemoved(filter.name), {
                        label: kit.undo,
                        onClick: () => setSaved(saved),
                      });
                    }}
                  />
                </>
              }
            >
              <ListItemButton
                sx={{ '.MuiListItem-root > &': { pr: 10 } }}
                onClick={() => {
                  onApply(filter.values);
                  close();
                }}
              >
                <ListItemText
                  primary={filter.name}
                  slotProps={{ primary: { sx: { overflowWrap: 'anywhere' } } }}
                />
              </ListItemButton>
            </ListItem>
          ))}
        </List>
        {isSet && (
          <SaveCurrent
            onSave={(name) => {
              setSaved([...saved.filter((each) => each.name !== name), { name, values }].slice(-50));
              close();
            }}
          />
        )}
      </Popover>
    </>
  );
}

function SaveCurrent({ onSave }: { onSave: (name: string) => void }) {
  const t = useText(filterText);
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (name.trim()) onSave(name.trim());
  };
  return (
    <Stack component="form" noValidate onSubmit={submit} sx={{ p: 2, gap: 1.5 }}>
      <TextField
        autoFocus
        label={t.viewName}
        value={name}
        onChange={({ target }) => setName(target.value)}
        slotProps={{ htmlInput: { maxLength: 60, autoComplete: 'off' } }}
      />
      <Box>
        <Button type="submit" size="small" variant="contained" disabled={!name.trim()}>
          {t.saveCurrent}
        </Button>
      </Box>
    </Stack>
  );
}
