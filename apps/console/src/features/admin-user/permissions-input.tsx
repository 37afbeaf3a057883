import {
  adminPermissions,
  permissionText,
  type AdminPermission,
  type PermissionSubject,
} from '@breakwater/contract';
import { Box, Checkbox, FormControlLabel, FormHelperText, Stack, Tooltip, Typography } from '@mui/material';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { useField, type FieldProps } from '../../kit/fields.tsx';
import { adminUserText } from './admin-user.text.ts';
import { useGrantable } from './group-choice.ts';

const subjectOf = (name: AdminPermission) => name.split('.')[0] as PermissionSubject;
const bySubject = [...Map.groupBy(adminPermissions, subjectOf)];
/** What shows the subject: without it the rest of the subject leads nowhere. */
const readOf = (subject: PermissionSubject) => `${subject}.read` as AdminPermission;

interface Granting {
  chosen: ReadonlySet<AdminPermission>;
  grantable: ReadonlySet<AdminPermission>;
  /** Turns these on or off; what cannot be granted stays as it is. */
  set: (names: readonly AdminPermission[], on: boolean) => void;
}

/** The catalogue as check boxes, by subject. */
export function PermissionsInput<V extends FieldValues, N extends FieldPath<V>, T>(
  props: FieldProps<V, N, T>,
) {
  const t = useText(adminUserText).group;
  const { field, error, message } = useField(props);
  const grantable = useGrantable();
  const chosen = new Set(field.value as AdminPermission[]);
  const set: Granting['set'] = (names, on) => {
    const changed = new Set(names.filter((name) => grantable.has(name)));
    field.onChange(adminPermissions.filter((name) => (changed.has(name) ? on : chosen.has(name))));
  };
  const granting = { chosen, grantable, set };
  return (
    <Box role="group" aria-label={props.label}>
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="subtitle1" component="h3">
          {props.label}
        </Typography>
        <Whole label={t.all} names={adminPermissions} granting={granting} />
      </Stack>
      {error && <FormHelperText error>{message}</FormHelperText>}
      {grantable.size < adminPermissions.length && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
          {t.someNotHeld}
        </Typography>
      )}
      {bySubject.map(([subject, names]) => (
        <Subject key={subject} subject={subject} names={names} granting={granting} />
      ))}
    </Box>
  );
}

interface SubjectProps {
  subject: PermissionSubject;
  names: readonly AdminPermission[];
  granting: Granting;
}

function Subject({ subject, names, granting }: SubjectProps) {
  const text = permissionText[useLanguage()];
  const read = readOf(subject);
  /** Nothing of a subject is held without seeing it. */
  const toggle = (name: AdminPermission, on: boolean) =>
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
          <One
            key={name}
            label={text.permissions[name]}
            checked={granting.chosen.has(name)}
            disabled={!granting.grantable.has(name)}
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
  names: readonly AdminPermission[];
  granting: Granting;
  isHeading?: boolean;
}) {
  const { label, names, granting, isHeading = false } = props;
  const open = names.filter((name) => granting.grantable.has(name));
  const on = names.filter((name) => granting.chosen.has(name)).length;
  const full = open.length > 0 && open.every((name) => granting.chosen.has(name));
  return (
    <FormControlLabel
      label={label}
      disabled={open.length === 0}
      control={
        <Checkbox
          size="small"
          checked={on === names.length}
          indeterminate={on > 0 && on < names.length}
          onChange={() => granting.set(names, !full)}
        />
      }
      slotProps={{ typography: { variant: isHeading ? 'subtitle2' : 'body2' } }}
    />
  );
}

interface OneProps {
  label: string;
  checked: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
}

function One({ label, checked, disabled, onChange }: OneProps) {
  const t = useText(adminUserText).group;
  const box = (
    <FormControlLabel
      label={label}
      disabled={disabled}
      control={
        <Checkbox size="small" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      }
      slotProps={{ typography: { variant: 'body2' } }}
    />
  );
  if (!disabled) return box;
  return (
    <Tooltip title={t.notHeld} describeChild>
      <span tabIndex={0}>{box}</span>
    </Tooltip>
  );
}
