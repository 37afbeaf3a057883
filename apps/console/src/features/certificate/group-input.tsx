import { Autocomplete, TextField } from '@mui/material';
import { Controller, type Control, type FieldPath, type FieldValues } from 'react-hook-form';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { useFieldMessage } from '../../kit/form/form.tsx';
import { certificateText } from './certificate.text.ts';

/** The groups that there are, of one customer or of whoever asks. */
export function useGroups(clientId?: number): string[] {
  const { data } = useApi('listCertificateGroups', { query: { page_size: 200, client_id: clientId } });
  return (data?.list ?? []).map(({ name }) => name);
}

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
  const message = useFieldMessage();
  const groups = useGroups(clientId);
  return (
    <Controller
      control={control}
      name={'group_name' as FieldPath<Input>}
      render={({ field, fieldState }) => (
        // Free text: a group is made by naming it, and gone when nothing is in it.
        <Autocomplete
          freeSolo
          options={groups}
          inputValue={(field.value as string | undefined) ?? ''}
          onInputChange={(_, text) => field.onChange(text)}
          onBlur={field.onBlur}
          renderInput={(params) => (
            <TextField
              {...params}
              inputRef={field.ref}
              label={t.group}
              error={fieldState.error !== undefined}
              helperText={message(fieldState.error?.message) ?? t.groupHint}
            />
          )}
        />
      )}
    />
  );
}
