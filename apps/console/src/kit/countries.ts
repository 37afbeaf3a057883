import { useMemo } from 'react';
import { useLanguage } from '../i18n/language.ts';

/** Groups of countries, what is not in use any more, and what stands for no country. */
const noCountries = new Set(
  'AC AN BU CP CS DD DG DY EA EU EZ FX HV IC NH NT QO RH SU TA TP UN VD XA XB YD YU ZR ZZ'.split(' '),
);
const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));

/** Every country that the browser has a name for, by name and with its code, which can be typed too. */
export function useCountries() {
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

/** What a country is called in the reader's language, by its code. */
export function useCountryName(): (code: string) => string {
  const language = useLanguage();
  return useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
    return (code) => names.of(code) ?? code;
  }, [language]);
}
