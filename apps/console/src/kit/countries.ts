import type { Language } from '@breakwater/contract';
import { useMemo } from 'react';
import { useLanguage } from '../i18n/language.ts';

/** What a country is called in the reader's language, by its code. */
export function useCountryName(): (code: string) => string {
  const language = useLanguage();
  return useMemo(() => countryNames(language), [language]);
}

export function countryNames(language: Language): (code: string) => string {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  return (code) => names.of(code) ?? code;
}
