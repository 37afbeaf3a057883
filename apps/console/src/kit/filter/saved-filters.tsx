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
  Tooltip,
  Typography,
} from '@mui/material';
import { useState, type FormEvent } from 'react';
import * as z from 'zod';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { Icon } from '../icon.tsx';
import { useRemembered } from '../remembered.ts';
import { filterText } from './filter.text.ts';

const savedSchema = z.array(z.object({ name: z.string(), values: z.record(z.string(), z.string()) })).max(50);

interface SavedFiltersProps {
  /** What the saved filters belong to. */
  id: string;
  /** What is set now. */
  values: Record<string, string>;
  onApply: (values: Record<string, string>) => void;
}

/** Sets of filters that a reader gave a name; they stay in this browser. */
export function SavedFilters({ id, values, onApply }: SavedFiltersProps) {
  const t = useText(filterText);
  const [saved, setSaved] = useRemembered(`filters:${id}`, savedSchema, []);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const isSet = Object.keys(values).length > 0;
  if (!isSet && saved.length === 0) return null;
  return (
    <>
      <Tooltip title={t.saved}>
        <IconButton
          aria-label={t.saved}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Icon name="bookmark" />
        </IconButton>
      </Tooltip>
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
                <ActionIcon
                  icon="delete"
                  label={t.removeSaved(filter.name)}
                  onClick={() => setSaved(saved.filter((each) => each !== filter))}
                />
              }
            >
              <ListItemButton
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
        label={t.filterName}
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
