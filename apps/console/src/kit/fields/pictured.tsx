import { Chip, type AutocompleteRenderValueGetItemProps } from '@mui/material';
import type { HTMLAttributes, Key, ReactNode } from 'react';

/** A choice with its picture, such as a flag, before its name. */
export const Pictured = ({ picture, label }: { picture?: ReactNode; label: string }) => (
  <>
    {picture}
    {label}
  </>
);

/** How an `Autocomplete` of several draws choices that have pictures, in its list and where they are chosen. */
export function picturedChoices<Value>(choiceOf: (value: Value) => { picture?: ReactNode; label: string }) {
  return {
    renderOption: ({ key, ...item }: HTMLAttributes<HTMLLIElement> & { key: Key }, value: Value) => (
      <li key={key} {...item}>
        <span>
          <Pictured {...choiceOf(value)} />
        </span>
      </li>
    ),
    renderValue: (values: Value[], getItemProps: AutocompleteRenderValueGetItemProps<true>) =>
      values.map((value, index) => {
        const { key, ...item } = getItemProps({ index });
        return <Chip key={key} size="small" label={<Pictured {...choiceOf(value)} />} {...item} />;
      }),
  };
}
