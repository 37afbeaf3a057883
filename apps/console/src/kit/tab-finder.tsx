import { Autocomplete, Box, ListSubheader, TextField } from '@mui/material';
import { useText } from '../i18n/text.ts';
import { kitText } from './kit.text.ts';
import type { TabPage } from './url-tabs.tsx';

interface TabFinderProps {
  tabs: readonly TabPage[];
  /** Shown as chosen, where this stands in the place of the tabs. */
  current?: TabPage;
  onChoose: (id: string) => void;
}

/** Finds a tab by its name or by what is on it. */
export function TabFinder({ tabs, current, onChoose }: TabFinderProps) {
  const t = useText(kitText);
  const groupOf = new Map<string, string>();
  let group = '';
  for (const tab of tabs) groupOf.set(tab.id, (group = tab.group ?? group));
  return (
    <Autocomplete
      size="small"
      options={tabs}
      value={current ?? null}
      groupBy={({ id }) => groupOf.get(id) ?? ''}
      getOptionKey={({ id }) => id}
      getOptionLabel={({ label }) => label}
      filterOptions={(all, { inputValue }) => all.filter((tab) => isFound(tab, inputValue))}
      disableClearable={current !== undefined}
      // Where nothing is chosen, what was typed goes with the choice.
      clearOnBlur
      blurOnSelect
      noOptionsText={t.noTabFound}
      onChange={(_, tab) => tab && onChoose(tab.id)}
      renderGroup={({ key, group: heading, children }) => (
        <li key={key}>
          {heading !== '' && <ListSubheader component="div">{heading}</ListSubheader>}
          <Box component="ul" sx={{ p: 0 }}>
            {children}
          </Box>
        </li>
      )}
      renderInput={(props) => <TextField {...props} label={current ? t.tab : t.findTab} />}
    />
  );
}

/** Every word that was typed is in the tab's name or among its words. */
function isFound({ label, words = '' }: TabPage, typed: string): boolean {
  const text = `${label} ${words}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
