import { carriers, provinces } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useText } from '../../../../i18n/text.ts';
import { useCountries } from '../../../../kit/country.tsx';
import { MultiSelectInput } from '../../../../kit/fields/inputs.tsx';
import { placesText } from '../../../../domain/places.text.ts';
import { fieldGrid } from '../../section/field-grid.ts';
import type { AccessFormControl } from './access.tsx';
import { sitePlacesText } from './places.text.ts';

/**
 * Where visitors are, for one rule: countries by ISO 3166-1, provinces and carriers of China. Nodes look the
 * address up in the table of places.
 */
export function PlaceFields({ control, index }: { control: AccessFormControl; index: number }) {
  const t = useText(sitePlacesText);
  const names = useText(placesText);
  const name = `rules.${index}` as const;
  return (
    <Box sx={fieldGrid}>
      <MultiSelectInput
        control={control}
        name={`${name}.countries`}
        label={t.countries}
        hint={t.countriesHint}
        options={useCountries()}
      />
      <MultiSelectInput
        control={control}
        name={`${name}.provinces`}
        label={t.provinces}
        hint={t.provincesHint}
        options={provinces.map((value) => ({ value, label: names.provinceNames[value] }))}
      />
      <MultiSelectInput
        control={control}
        name={`${name}.carriers`}
        label={t.carriers}
        options={carriers.map((value) => ({ value, label: names.carrierNames[value] }))}
      />
    </Box>
  );
}
