import { permissionText, type Permission, type PermissionSubject } from '@breakwater/contract';
import { Box, Checkbox, FormControlLabel, FormHelperText, Stack, Typography } from '@mui/material';
import { useId } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { useField, type FieldProps } from './inputs.tsx';
import { permissionsInputText } from './permissions-input.text.ts';
import { Hint } from '../hint.tsx';

const subjectOf = (name: Permission) => name.split('.')[0] as PermissionSubject;
/** What shows the subject: without it the rest of the subject leads nowhere. */
const readOf = (subject: PermissionSubject) => `${subject}.read` as Permission;

interface Granting {
  chosen: ReadonlySet<Permission>;
  grantable: ReadonlySet<Permission>;
  /** Turns these on or off; what cannot be granted stays as it is. */
  set: (names: readonly Permission[], on: boolean) => void;
}

interface PermissionsProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  /** Those that are shown, in their order. */
  names: readonly Permission[];
  /** Those of them that whoever chooses may give. */
  grantable: ReadonlySet<Permission>;
}

/** Permissions as check boxes, by subject. */
export function PermissionsInput<V extends FieldValues, N extends FieldPath<V>, T>(
  props: PermissionsProps<V, N, T>,
) {
  const { names: all, grantable } = props;
  const t = useText(permissionsInputText);
  const { field, error, message } = useField(props);
  const chosen = new Set(field.value as Permission[]);
  const set: Granting['set'] = (names, on) => {
    const changed = new Set(names.filter((name) => grantable.has(name)));
    field.onChange(all.filter((name) => (changed.has(name) ? on : chosen.has(name))));
  };
  const granting = { chosen, grantable, set };
  return (
    <Box role="group" aria-label={props.label}>
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="subtitle1" component="h3">
          {props.label}
        </Typography>
        <Whole label={t.all} names={all} granting={granting} />
      </Stack>
      {error && <FormHelperText error>{message}</FormHelperText>}
      {all.some((name) => !grantable.has(name)) && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
          {t.someNotHeld}
        </Typography>
      )}
      {[...Map.groupBy(all, subjectOf)].map(([subject, names]) => (
        <Subject key={subject} subject={subject} names={names} granting={granting} />
      ))}
    </Box>
  );
}

interface SubjectProps {
  subject: PermissionSubject;
  names: readonly Permission[];
  granting: Granting;
}

function Subject({ subject, names, granting }: SubjectProps) {
  const t = useText(permissionsInputText);
  const text = permissionText[useLanguage()];
  const read = readOf(subject);
  /** Nothing of a subject is held without seeing it. */
  const toggle = (name: Permission, on: boolean) =>
    granting.set(name === read && !on ? names : on ? [name, read] : [name], on);
  return (
    <Box
      role="group"
      aria-label={text.subjects[subject]}
      sx={{
        py: 0.5,
        borderTop: 1,
        borderColor: 'divider',
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: '152px minmax(0, 1fr)' },
        alignItems: 'start',
      }}
    >
      <Whole label={text.subjects[subject]} names={names} granting={granting} isHeading />
      <Stack direction="row" sx={{ flexWrap: 'wrap', pl: { xs: 3.5, sm: 0 } }}>
        {names.map((name) => (
          <Tick
            key={name}
            label={text.permissions[name]}
            checked={granting.chosen.has(name)}
            reason={granting.grantable.has(name) ? undefined : t.notHeld}
            onChange={(on) => toggle(name, on)}
          />
        ))}
      </Stack>
    </Box>
  );
}

/** All of some, at once. */
function Whole(props: {
  label: string;
  names: readonly Permission[];
  granting: Granting;
  isHeading?: boolean;
}) {
  const { label, names, granting, isHeading = false } = props;
  const open = names.filter((name) => granting.grantable.has(name));
  const on = names.filter((name) => granting.chosen.has(name)).length;
  const full = open.length > 0 && open.every((name) => granting.chosen.has(name));
  const t = useText(permissionsInputText);
  return (
    <Tick
      label={label}
      checked={on === names.length}
      indeterminate={on > 0 && on < names.length}
      reason={open.length === 0 ? t.notHeld : undefined}
      onChange={() => granting.set(names, !full)}
      isHeading={isHeading}
    />
  );
}

interface TickProps {
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  /** Why it cannot be changed. It is come by with the keyboard all the same, and is described by this. */
  reason: string | undefined;
  onChange: (on: boolean) => void;
  isHeading?: boolean;
}

function Tick({ label, checked, indeterminate = false, reason, onChange, isHeading = false }: TickProps) {
  const id = useId();
  const isOff = reason !== undefined;
  const box = (
    <FormControlLabel
      label={label}
      className={isOff ? 'Mui-disabled denied' : ''}
      control={
        <Checkbox
          size="small"
          checked={checked}
          indeterminate={indeterminate}
          onChange={(event) => !isOff && onChange(event.target.checked)}
          className={isOff ? 'Mui-disabled denied' : ''}
          slotProps={{ input: isOff ? { 'aria-disabled': true, 'aria-describedby': id } : {} }}
        />
      }
      slotProps={{
        typography: {
          variant: isHeading ? 'subtitle2' : 'body2',
          ...(isOff ? { className: 'Mui-disabled' } : {}),
        },
      }}
    />
  );
  if (!isOff) return box;
  return (
    <>
      <Hint title={reason} describes>
        {box}
      </Hint>
      <span id={id} hidden>
        {reason}
      </span>
    </>
  );
}
