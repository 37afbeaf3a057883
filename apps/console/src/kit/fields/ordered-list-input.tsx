import { Box, Button, IconButton, Stack, Typography } from '@mui/material';
import { Accessibility, defaultPreset } from '@dnd-kit/dom';
import { isSortable } from '@dnd-kit/dom/sortable';
import { DragDropProvider } from '@dnd-kit/react';
import { useSortable } from '@dnd-kit/react/sortable';
import { useMemo, type ReactNode } from 'react';
import {
  useFieldArray,
  type ArrayPath,
  type Control,
  type FieldPath,
  type FieldValues,
} from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { Denied } from '../denied.tsx';
import { Icon } from '../icon.tsx';
import { FieldGroup } from './field-group.tsx';
import { fieldsText } from './fields.text.ts';
import { useListMessage } from './list-message.ts';
import { Hint } from '../hint.tsx';

interface OrderedListProps<V extends FieldValues, T> {
  control: Control<V, unknown, T>;
  /** An array of objects whose order counts. */
  name: ArrayPath<V> & FieldPath<V>;
  label: string;
  /** The fields of the row, whose names start with `${name}.${index}`. */
  children: (index: number) => ReactNode;
  /** A new row. */
  blank: () => object;
  hint?: string;
  /** Said to screen readers only, where a heading above shows it. */
  labelHidden?: boolean;
  /** On the button below the rows. */
  addLabel?: string;
  max?: number;
  disabled?: boolean;
  readOnly?: boolean;
}

/** Rows in an order that the reader drags, by pointer, touch or keyboard. */
export function OrderedListInput<V extends FieldValues, T>(props: OrderedListProps<V, T>) {
  const {
    control,
    name,
    label,
    children,
    blank,
    hint,
    labelHidden = false,
    addLabel,
    max = Infinity,
    disabled = false,
    readOnly = false,
  } = props;
  const t = useText(fieldsText);
  const { fields, append, remove, move } = useFieldArray({ control, name });
  const message = useListMessage(control, name, label);
  const locked = disabled || readOnly;
  return (
    <FieldGroup
      label={label}
      labelHidden={labelHidden}
      helperText={message ?? hint}
      error={message !== undefined}
      disabled={disabled}
    >
      {fields.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.noRows}
        </Typography>
      )}
      {locked && (
        <Stack component="ol" sx={listLook}>
          {fields.map((row, index) => (
            <Box component="li" key={row.id} data-field={`${name}.${index}`} sx={rowLook}>
              <Box sx={cellLook}>{children(index)}</Box>
            </Box>
          ))}
        </Stack>
      )}
      {!locked && (
        <SortableRows name={name} fields={fields} move={move} remove={remove}>
          {children}
        </SortableRows>
      )}
      {!locked && (
        <Denied reason={fields.length >= max ? t.full(max) : undefined}>
          <Button
            size="small"
            startIcon={<Icon name="add" size={18} />}
            onClick={() => append(blank() as never)}
            sx={{ alignSelf: 'flex-start' }}
          >
            {addLabel ?? t.addRow}
          </Button>
        </Denied>
      )}
    </FieldGroup>
  );
}

interface SortableRowsProps {
  name: string;
  fields: readonly { id: string }[];
  move: (from: number, to: number) => void;
  remove: (index: number) => void;
  children: (index: number) => ReactNode;
}

function SortableRows({ name, fields, move, remove, children }: SortableRowsProps) {
  const plugins = useSpokenPlugins();
  return (
    <DragDropProvider
      plugins={plugins}
      onDragEnd={({ canceled, operation: { source } }) => {
        if (!canceled && isSortable(source) && source.initialIndex !== source.index)
          move(source.initialIndex, source.index);
      }}
    >
      <Stack component="ol" sx={listLook}>
        {fields.map((row, index) => (
          <SortableRow
            key={row.id}
            id={row.id}
            field={`${name}.${index}`}
            index={index}
            onRemove={() => remove(index)}
          >
            {children(index)}
          </SortableRow>
        ))}
      </Stack>
    </DragDropProvider>
  );
}

interface SortableRowProps {
  id: string;
  field: string;
  index: number;
  onRemove: () => void;
  children: ReactNode;
}

function SortableRow({ id, field, index, onRemove, children }: SortableRowProps) {
  const t = useText(fieldsText);
  const { ref, handleRef, isDragging } = useSortable({ id, index });
  return (
    <Box
      component="li"
      ref={ref}
      data-field={field}
      sx={[
        rowLook,
        isDragging && ((theme) => ({ borderColor: 'primary.main', boxShadow: theme.shadows[6] })),
      ]}
    >
      <Hint title={t.dragHelp}>
        <IconButton
          ref={handleRef}
          size="medium"
          aria-label={t.dragRow(index + 1)}
          sx={{ cursor: 'grab', touchAction: 'none' }}
        >
          <Icon name="drag" size={18} />
        </IconButton>
      </Hint>
      <Box sx={cellLook}>{children}</Box>
      <ActionIcon icon="delete" label={t.removeRow(index + 1)} onClick={onRemove} size="medium" />
    </Box>
  );
}

const listLook = { listStyle: 'none', m: 0, p: 0, gap: 1 } as const;
const rowLook = {
  display: 'flex',
  // On a phone the fields take a line of their own: lists stand in lists.
  flexWrap: { xs: 'wrap', sm: 'nowrap' },
  justifyContent: 'space-between',
  alignItems: 'flex-start',
  gap: 1,
  p: 1,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  bgcolor: 'background.paper',
} as const;
const cellLook = {
  flex: { xs: '1 0 100%', sm: 1 },
  order: { xs: 1, sm: 0 },
  minWidth: 0,
  alignSelf: 'center',
} as const;

/** What is said while a row moves, in the reader's language. */
function useSpokenPlugins() {
  const t = useText(fieldsText);
  return useMemo(() => {
    const row = (source: unknown) =>
      isSortable(source as never) ? (source as { index: number }).index + 1 : 1;
    const spoken = Accessibility.configure({
      screenReaderInstructions: { draggable: t.dragHelp },
      announcements: {
        dragstart: ({ operation: { source } }: { operation: { source: unknown } }) =>
          t.dragStarted(String(row(source))),
        dragover: ({ operation: { source } }: { operation: { source: unknown } }) => String(row(source)),
        dragend: ({
          canceled,
          operation: { source },
        }: {
          canceled: boolean;
          operation: { source: unknown };
        }) => (canceled ? t.dragCancelled : t.dragEnded('', row(source)).trim()),
      },
    });
    return defaultPreset.plugins.map((plugin) => (plugin === Accessibility ? spoken : plugin));
  }, [t]);
}
