import type { DiffEntry } from '@breakwater/contract/json-diff';
import { Box, FormControlLabel, Stack, Switch, Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useMay } from '../../../api/account.ts';
import { useApi } from '../../../api/query.ts';
import { useLanguage } from '../../../i18n/language.ts';
import { useText } from '../../../i18n/text.ts';
import { DiffView } from '../../../kit/diff-view.tsx';
import { useListNames } from '../condition-data.tsx';
import { siteChangeText } from './change.text.ts';
import type { Names } from './field.ts';
import { sayChanges } from './words.ts';

/** What changed of a configuration of a site or a level, in words; as it is kept behind a switch. */
export function SiteChanges({ entries }: { entries: readonly DiffEntry[] }) {
  const t = useText(siteChangeText);
  const language = useLanguage();
  const names = useNames(entries);
  const said = useMemo(() => sayChanges(entries, language, names), [entries, language, names]);
  const [isRaw, setRaw] = useState(false);
  return (
    <Stack sx={{ gap: 1.5 }}>
      {said.map(({ heading, lines }) => (
        <Box key={heading} component="section" {...(heading === '' ? {} : { 'aria-label': heading })}>
          {heading !== '' && (
            <Typography variant="body2" sx={{ fontWeight: 600, mb: 0.5 }}>
              {heading}
            </Typography>
          )}
          <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
            {lines.map((line, index) => (
              <Typography key={index} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                {line}
              </Typography>
            ))}
          </Box>
        </Box>
      ))}
      <FormControlLabel
        sx={{ alignSelf: 'start', ml: 0, color: 'text.secondary' }}
        control={<Switch size="small" checked={isRaw} onChange={(_, isOn) => setRaw(isOn)} />}
        label={<Typography variant="body2">{t.raw}</Typography>}
      />
      {isRaw && <DiffView entries={entries} />}
    </Stack>
  );
}

/** Of lists and certificates, where the reader may see them; else their numbers. */
function useNames(entries: readonly DiffEntry[]): Names {
  const lists = useListNames();
  const ids = useMemo(() => certificateIds(entries), [entries]);
  const { data } = useApi(
    'listCertificates',
    { query: { ids: ids.join(','), page_size: 200 } },
    { enabled: useMay()('listCertificates') && ids.length > 0 },
  );
  const certificates = new Map(data?.list.map(({ id, name }) => [id, name]));
  return {
    list: (id) => lists.get(id) ?? `#${id}`,
    certificate: (id) => certificates.get(id) ?? `#${id}`,
  };
}

const certificatePath = /^certificate_settings(?:\.certificate_ids(?:\.\d+)?)?$/;

/** Those that are named anywhere in changes. */
function certificateIds(entries: readonly DiffEntry[]): number[] {
  const idsIn = (value: unknown): number[] => {
    if (typeof value === 'number') return [value];
    if (Array.isArray(value)) return value.flatMap(idsIn);
    return typeof value === 'object' && value !== null && 'certificate_ids' in value
      ? idsIn(value.certificate_ids)
      : [];
  };
  const named = entries.filter(({ path }) => certificatePath.test(path));
  return [...new Set(named.flatMap(({ before, after }) => [...idsIn(before), ...idsIn(after)]))].slice(0, 50);
}
