import type { Language } from '@breakwater/contract';
import type { DiffEntry } from '@breakwater/contract/json-diff';
import { Box, FormControlLabel, Stack, Switch, Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { certificatesOf } from '../../../api/options.ts';
import { useLanguage } from '../../../i18n/language.ts';
import { useText } from '../../../i18n/text.ts';
import { DiffView } from '../../../kit/diff-view.tsx';
import { useChosen } from '../../../kit/fields/choices.ts';
import { useCaptchaChoices, useListChoices } from '../condition-data.tsx';
import { siteChangeText } from './change.text.ts';
import type { Names } from './field.ts';
import { sayChanges } from './words.ts';
import { readable } from '../../../kit/readable.tsx';

/** By id, whoever owns them; what the reader may not see stays a number. */
const certificateChoices = certificatesOf(undefined);

/** What changed of a configuration of a site or a level, in words; as it is kept behind a switch. */
export function SiteChanges({ entries }: { entries: readonly DiffEntry[] }) {
  const t = useText(siteChangeText);
  const [isRaw, setRaw] = useState(false);
  return (
    <Stack sx={{ gap: 1.5 }}>
      <ChangeLines entries={entries} />
      <FormControlLabel
        sx={{ alignSelf: 'start', ml: 0, color: 'text.secondary' }}
        control={<Switch size="small" checked={isRaw} onChange={(_, isOn) => setRaw(isOn)} />}
        label={<Typography variant="body2">{t.raw}</Typography>}
      />
      {isRaw && <DiffView entries={entries} />}
    </Stack>
  );
}

/** The sentences alone. */
export function ChangeLines({ entries }: { entries: readonly DiffEntry[] }) {
  const language = useLanguage();
  const names = useNames(entries, language);
  const said = useMemo(() => sayChanges(entries, language, names), [entries, language, names]);
  return (
    <Stack sx={{ gap: 1.5 }}>
      {said.map(({ heading, lines }) => (
        <Box key={heading} component="section" {...(heading === '' ? {} : { 'aria-label': heading })}>
          {heading !== '' && (
            <Typography variant="body2" sx={{ fontWeight: 600, mb: 0.5 }}>
              {heading}
            </Typography>
          )}
          <Lines as="ul" lines={lines} />
        </Box>
      ))}
    </Stack>
  );
}

/** A list, `ol` where its order counts. */
export function Lines({ as, lines }: { as: 'ol' | 'ul'; lines: readonly string[] }) {
  return (
    <Box component={as} sx={{ m: 0, pl: 2.5 }}>
      {lines.map((line, index) => (
        <Typography key={index} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {readable(line)}
        </Typography>
      ))}
    </Box>
  );
}

/** What lists, certificates and accounts are called, by those that the words ask for. */
export function useNames(entries: readonly DiffEntry[], language: Language): Names {
  const asked = useMemo(() => {
    const [lists, certificates, captchas] = [new Set<number>(), new Set<number>(), new Set<number>()];
    const note = (ids: Set<number>) => (id: number) => `${ids.add(id).size}`;
    // The sentences are made once with names that note who is asked for, and again with the names that were read.
    const names = { list: note(lists), certificate: note(certificates), captcha: note(captchas) };
    sayChanges(entries, language, names);
    return { lists: [...lists], certificates: [...certificates], captchas: [...captchas] };
  }, [entries, language]);
  const lists = useChosen(useListChoices(), asked.lists);
  const certificates = useChosen(certificateChoices, asked.certificates);
  const captchas = useChosen(useCaptchaChoices(), asked.captchas);
  return useMemo(() => {
    const nameIn = (options: typeof lists) => (id: number) =>
      options.find(({ value }) => value === id)?.label ?? `#${id}`;
    return { list: nameIn(lists), certificate: nameIn(certificates), captcha: nameIn(captchas) };
  }, [lists, certificates, captchas]);
}
