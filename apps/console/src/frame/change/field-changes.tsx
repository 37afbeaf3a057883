import { groupName, type Language } from '@breakwater/contract';
import type { DiffEntry, JsonValue } from '@breakwater/contract/json-diff';
import { Box, Typography } from '@mui/material';
import { useMemo } from 'react';
import {
  areaChoices,
  authorityChoices,
  certificateOrderChoices,
  certificatesOf,
  choicesOf,
  clientChoices,
  dnsAccountChoices,
  lineGroupChoices,
  nodeChoices,
  orderChoices,
  ownLists,
  productChoices,
  siteChoices,
} from '../../api/options.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useChosen } from '../../kit/fields/choices.ts';
import { idsIn, sayFieldChange, sayValue } from './say-field.ts';
import { readable } from '../../kit/readable.tsx';

const certificateChoices = certificatesOf(undefined);
const groupsIn = (language: Language) =>
  choicesOf(
    'listAdminGroups',
    (name) => ({ name }),
    (group) => ({ value: group.id, label: groupName(group, language) }),
  );
const groupChoices = { zh: groupsIn('zh'), en: groupsIn('en') };

/** What changed of a thing or a setting that has no sections, a sentence for each change. */
export function FieldChanges({ entries }: { entries: readonly DiffEntry[] }) {
  const language = useLanguage();
  const nameOf = useNames(entries);
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
      {entries.filter(isNews).map((entry, index) => (
        <Typography key={index} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {readable(sayFieldChange(entry, language, nameOf))}
        </Typography>
      ))}
    </Box>
  );
}

/** Of something new, what is empty says nothing. */
const isNews = ({ before, after, from }: DiffEntry): boolean =>
  before !== undefined || from !== undefined || (after !== '' && after !== null);

/** What stands at a path of such a thing. */
export function FieldValue({ path, value }: { path: string; value: unknown }) {
  const language = useLanguage();
  const entries = useMemo(() => [{ path, after: value as JsonValue }], [path, value]);
  const nameOf = useNames(entries);
  return readable(sayValue(path, value, language, nameOf));
}

/** What the things are called that the changes name by their ids; of those that are gone, or not the reader's, the id. */
function useNames(entries: readonly DiffEntry[]): (of: string, id: number) => string {
  const language = useLanguage();
  const asked = useMemo(() => {
    const found = idsIn(entries, language);
    return (of: string) => [...(found.get(of) ?? [])];
  }, [entries, language]);
  const named = {
    acme_account: useChosen(authorityChoices, asked('acme_account')),
    address_list: useChosen(ownLists, asked('address_list')),
    area: useChosen(areaChoices, asked('area')),
    certificate: useChosen(certificateChoices, asked('certificate')),
    certificate_order: useChosen(certificateOrderChoices, asked('certificate_order')),
    client: useChosen(clientChoices, asked('client')),
    dns_account: useChosen(dnsAccountChoices, asked('dns_account')),
    group: useChosen(groupChoices[language], asked('group')),
    line_group: useChosen(lineGroupChoices, asked('line_group')),
    node: useChosen(nodeChoices, asked('node')),
    order: useChosen(orderChoices, asked('order')),
    product: useChosen(productChoices, asked('product')),
    site: useChosen(siteChoices, asked('site')),
  };
  return (of, id) => {
    const choices = Object.hasOwn(named, of) ? named[of as keyof typeof named] : [];
    return choices.find(({ value }) => value === id)?.label ?? `#${id}`;
  };
}
