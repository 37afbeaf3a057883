import { Link, Stack } from '@mui/material';
import { styled } from '@mui/material/styles';
import { createContext, use, type ReactNode } from 'react';

/** Where the value of a field comes from, for forms whose fields can take theirs from elsewhere. */
export interface FieldSource {
  /** In a word. */
  label: string;
  /** The value is set here. */
  isOwn: boolean;
  /** What gives the value up for the one from elsewhere. */
  giveUp?: { label: string; run: () => void } | undefined;
}

const Sources = createContext<(name: string) => FieldSource | undefined>(() => undefined);
/** Around a form: what each of its fields, by name, says of its value. */
export const FieldSources = Sources.Provider;

const Tag = styled('span')(({ theme }) => ({
  display: 'inline-block',
  paddingInline: 6,
  borderRadius: 4,
  border: `1px solid ${theme.vars!.palette.divider}`,
  color: theme.vars!.palette.text.secondary,
  fontSize: '0.6875rem',
  fontWeight: 600,
  lineHeight: '16px',
  '&.own': {
    color: theme.vars!.palette.primary.dark,
    borderColor: theme.vars!.palette.primary.main,
    ...theme.applyStyles('dark', { color: theme.vars!.palette.primary.light }),
  },
}));

/** A field's hint, and behind it where the value comes from, if its form says so. */
export function useSourcedHint(name: string, hint: ReactNode): ReactNode {
  const source = use(Sources)(name);
  if (source === undefined) return hint;
  return (
    <>
      {hint}
      {hint && ' '}
      <SourceTag source={source} />
    </>
  );
}

/** The same for what is no single field: a list of rules. */
export function FieldSourceNote({ name }: { name: string }) {
  const source = use(Sources)(name);
  if (source === undefined) return null;
  return (
    <Stack direction="row" sx={{ mb: 1.5 }}>
      <SourceTag source={source} />
    </Stack>
  );
}

function SourceTag({ source: { label, isOwn, giveUp } }: { source: FieldSource }) {
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <Tag className={isOwn ? 'own' : ''}>{label}</Tag>
      {giveUp && (
        <Link component="button" type="button" variant="caption" sx={{ ml: 1 }} onClick={giveUp.run}>
          {giveUp.label}
        </Link>
      )}
    </span>
  );
}
