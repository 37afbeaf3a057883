import { carriers, provinces } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useMemo } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { MultiSelectInput } from '../../kit/fields.tsx';
import { fieldGrid } from './field-grid.ts';
import type { AccessFormControl } from './site-access.tsx';
import { sitePlacesText } from './site-places.text.ts';

/** Where visitors are, for one rule. */
export function PlaceFields({ control, index }: { control: AccessFormControl; index: number }) {
  const t = useText(sitePlacesText);
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
        options={provinces.map((value) => ({ value, label: t.provinceNames[value] }))}
      />
      <MultiSelectInput
        control={control}
        name={`${name}.carriers`}
        label={t.carriers}
        options={carriers.map((value) => ({ value, label: t.carrierNames[value] }))}
      />
    </Box>
  );
}

/** Groups of countries, what is not in use any more, and what stands for no country. */
const noCountries = new Set(
  'AC AN BU CP CS DD DG DY EA EU EZ FX HV IC NH NT QO RH SU TA TP UN VD XA XB YD YU ZR ZZ'.split(' '),
);
const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));

/** Every country that the browser has a name for, by name and with its code, which can be typed too. */
function useCountries() {
  const language = useLanguage();
  return useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    const codes = letters.flatMap((one) => letters.map((other) => one + other));
    return codes
      .flatMap((value) => {
        const name = noCountries.has(value) ? undefined : names.of(value);
        return name === undefined ? [] : [{ value, label: `${name} (${value})` }];
      })
      .sort((a, b) => a.label.localeCompare(b.label, language));
  }, [language]);
}
