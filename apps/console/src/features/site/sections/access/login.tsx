import { Box, Stack } from '@mui/material';
import { useFieldArray, useWatch } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import { fieldsText } from '../../../../kit/fields/fields.text.ts';
import { ActionButton, ActionIcon } from '../../../../kit/action-button.tsx';
import { FieldGroup } from '../../../../kit/fields/field-group.tsx';
import { useListMessage } from '../../../../kit/fields/list-message.ts';
import { SecretInput } from '../../../../kit/fields/secret-input.tsx';
import { NumberInput, SwitchInput, TagsInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import type { AccessFormControl } from './access.tsx';
import { siteLoginText } from './login.text.ts';

interface LoginProps {
  control: AccessFormControl;
  /** Names whose passwords the server holds. */
  known: readonly string[];
}

/**
 * Basic authentication (RFC 7617), asked for by the nodes. Passwords are never read back: for each name it is
 * known that there is one.
 */
export function PasswordLogin({ control, known }: LoginProps) {
  const t = useText(siteLoginText);
  const isOn = useWatch({ control, name: 'basic_auth.enabled' });
  return (
    <Section title={t.title} hint={t.hint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="basic_auth.enabled" label={t.enabled} />
        {isOn && (
          <>
            <Users control={control} known={known} />
            <Box sx={fieldGrid}>
              <TagsInput
                control={control}
                name="auth_paths"
                label={t.only}
                hint={t.onlyHint}
                placeholder="/private/"
              />
              <TagsInput control={control} name="open_paths" label={t.except} placeholder="/public/" />
              <TextInput control={control} name="basic_auth.realm" label={t.realm} hint={t.realmHint} />
              <NumberInput control={control} name="basic_auth.tries" label={t.tries} hint={t.triesHint} />
            </Box>
            <SwitchInput
              control={control}
              name="basic_auth.pass_to_origin"
              label={t.pass}
              hint={t.passHint}
            />
          </>
        )}
      </Stack>
    </Section>
  );
}

/** As the contract has it (`basic_auth.users`). */
const usersMax = 200;

function Users({ control, known }: LoginProps) {
  const t = useText(siteLoginText);
  const { full } = useText(fieldsText);
  const { fields, append, remove } = useFieldArray({ control, name: 'basic_auth.users' });
  const users = useWatch({ control, name: 'basic_auth.users' });
  const message = useListMessage(control, 'basic_auth.users', t.users);
  return (
    <FieldGroup
      label={t.users}
      helperText={message ?? (fields.length === 0 ? t.noUsers : undefined)}
      error={message !== undefined}
    >
      <Stack sx={{ gap: 2 }}>
        {fields.map((field, index) => (
          <Stack
            key={field.id}
            role="group"
            aria-label={t.user(users?.[index]?.name ?? '')}
            direction={{ xs: 'column', sm: 'row' }}
            sx={{ gap: 2, alignItems: { sm: 'flex-start' } }}
          >
            <Box sx={{ flex: 1 }}>
              <TextInput control={control} name={`basic_auth.users.${index}.name`} label={t.name} />
            </Box>
            <Box sx={{ flex: 1 }}>
              <SecretInput
                control={control}
                name={`basic_auth.users.${index}.password`}
                label={t.password}
                hint={t.passwordHint}
                // By the name: rows are added, removed and renamed, while the passwords that are kept stay with the names they were set for.
                isSet={known.includes(users?.[index]?.name ?? '')}
              />
            </Box>
            <ActionIcon
              icon="delete"
              label={t.removeUser(users?.[index]?.name ?? '')}
              onClick={() => remove(index)}
              size="medium"
            />
          </Stack>
        ))}
        <Box>
          <ActionButton
            size="small"
            icon="add"
            disabledReason={fields.length >= usersMax ? full(usersMax) : undefined}
            onClick={() => append({ name: '' })}
          >
            {t.addUser}
          </ActionButton>
        </Box>
      </Stack>
    </FieldGroup>
  );
}
