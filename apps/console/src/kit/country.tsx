import { styled } from '@mui/material/styles';
import flags from 'virtual:flags';
import { useCountryName } from './countries.ts';

const known = new Set(flags.codes.split(' '));

/** Decorative: the name stands beside it. One row's picture, and no more, is fetched, from the console's own files. */
const Picture = styled('span')({
  display: 'inline-block',
  width: 18,
  height: 12,
  marginInlineEnd: 6,
  borderRadius: 2,
  verticalAlign: '-1px',
  backgroundSize: 'cover',
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
  return (
    <Picture aria-hidden data-flag={code} style={{ backgroundImage: `url(${flags.path}/${code}.svg)` }} />
  );
}
