import { Autocomplete, TextField } from '@mui/material';
import { useMemo, useState } from 'react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { certificateGroupsOf } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { useFound } from '../../kit/fields/choices.ts';
import { useField } from '../../kit/fields/inputs.tsx';
import { certificateText } from './certificate.text.ts';

interface GroupInputProps<Input extends FieldValues, Output> {
  control: Control<Input, unknown, Output>;
  clientId?: number | undefined;
}

/** One of the groups that there are, or a new one by its name. The form has `group_name`. */
export function GroupInput<Input extends FieldValues, Output>({
  control,
  clientId,
}: GroupInputProps<Input, Output>) {
  const t = useText(certificateText);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const found = useFound(
    useMemo(() => certificateGroupsOf(clientId), [clientId]),
    typed.trim(),
    open,
  );
  const { field, error, helperText } = useField({
    control,
    name: 'group_name' as FieldPath<Input>,
    label: t.group,
    hint: t.groupHint,
  });
  return (
    // Free text: a group is made by naming it, and gone when nothing is in it.
    <Autocomplete
      freeSolo
      options={found.options.map(({ value }) => value)}
      // The server has filtered already.
      filterOptions={(options) => options}
      inputValue={(field.value as string | undefined) ?? ''}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      onInputChange={(_, text, reason) => {
        setTyped(reason === 'input' ? text : '');
        field.onChange(text);
      }}
      onBlur={field.onBlur}
      renderInput={(params) => (
        <TextField {...params} inputRef={field.ref} label={t.group} error={error} helperText={helperText} />
      )}
    />
  );
}
