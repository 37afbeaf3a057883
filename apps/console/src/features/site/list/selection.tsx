import type { Site, SiteSelection } from '@breakwater/contract';
import { FormControl, FormControlLabel, FormLabel, Radio, RadioGroup } from '@mui/material';
import { useId } from 'react';
import { useText } from '../../../i18n/text.ts';
import { siteListText } from './list.text.ts';

/** What was selected in the list, and what the list that was shown is narrowed to: filter and count of one answer. */
export interface ListChoice {
  selected: readonly Site[];
  filter: NonNullable<SiteSelection['filter']>;
  total: number;
}

export type Which = 'selected' | 'matching';

/**
 * As the contract wants it. With a filter goes the number that the reader saw: if it has changed, the server does
 * nothing (error `selection_changed`).
 */
export const selectionOf = ({ selected, filter, total }: ListChoice, which: Which): SiteSelection =>
  which === 'selected' ? { site_ids: selected.map(({ id }) => id) } : { filter, expected_total: total };

export const countOf = ({ selected, total }: ListChoice, which: Which): number =>
  which === 'selected' ? selected.length : total;

interface WhichSitesProps {
  choice: ListChoice;
  which: Which;
  onChange: (which: Which) => void;
}

/** The selected rows, or everything on all pages: asked where there is more than what is selected. */
export function WhichSites({ choice, which, onChange }: WhichSitesProps) {
  const t = useText(siteListText);
  const id = useId();
  if (choice.total <= choice.selected.length) return null;
  return (
    <FormControl sx={{ mt: 2 }}>
      <FormLabel id={id}>{t.which}</FormLabel>
      <RadioGroup aria-labelledby={id} value={which} onChange={(_, value) => onChange(value as Which)}>
        <FormControlLabel
          value="selected"
          control={<Radio size="small" />}
          label={t.selected(choice.selected.length)}
        />
        <FormControlLabel
          value="matching"
          control={<Radio size="small" />}
          label={t.matching(choice.total)}
        />
      </RadioGroup>
    </FormControl>
  );
}
