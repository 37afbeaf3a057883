import { styled } from '@mui/material/styles';
import { useMemo } from 'react';
import flags from 'virtual:flags';
import { useLanguage } from '../i18n/language.ts';
import { useCountryName } from './countries.ts';

const known = new Set(flags.codes.split(' '));

/** Decorative: the name stands beside it. Those in sight, and no more, are fetched, from the console's own files. */
const Picture = styled('img')({
  width: 18,
  height: 12,
  marginInlineEnd: 6,
  borderRadius: 2,
  verticalAlign: '-1px',
  objectFit: 'cover',
  boxShadow: 'inset 0 0 0 1px rgb(0 0 0 / 12%)',
});

/** A country's flag and its name in the reader's language. */
export function Country({ code, name }: { code: string; name?: string }) {
  const nameOf = useCountryName();
  return (
    <>
      <Flag code={code} />
      {name ?? nameOf(code)}
    </>
  );
}

function Flag({ code }: { code: string }) {
  if (!known.has(code)) return null;
  return <Picture src={`${flags.path}/${code}.svg`} alt="" loading="lazy" />;
}

/** Groups of countries, what is not in use any more, and what stands for no country. */
const noCountries = new Set(
  'AC AN BU CP CS DD DG DY EA EU EZ FX HV IC NH NT QO RH SU TA TP UN VD XA XB YD YU ZR ZZ'.split(' '),
);
const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));

/** Every country that the browser has a name for: by flag, name and code, which can be typed too. */
export function useCountries() {
  const language = useLanguage();
  return useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    const codes = letters.flatMap((one) => letters.map((other) => one + other));
    return codes
      .flatMap((value) => {
        const name = noCountries.has(value) ? undefined : names.of(value);
        return name === undefined
          ? []
          : [{ value, label: `${name} (${value})`, picture: <Flag code={value} /> }];
      })
      .sort((a, b) => a.label.localeCompare(b.label, language));
  }, [language]);
}
