import { Fragment, type ReactNode } from 'react';
import { readableDomains } from './domain-name.ts';

/**
 * What is shown, with domain names in it as people write them, the long ones broken at their dots where a line ends. The ASCII form is
 * told on hover, and is what lists copy (`data-copied`).
 */
export function readable(shown: ReactNode): ReactNode {
  if (typeof shown !== 'string') return shown;
  const text = readableDomains(shown);
  if (text === shown) return breaking(text);
  return (
    <bdi title={shown} data-copied={shown}>
      {breaking(text)}
    </bdi>
  );
}

/** A shorter one is not broken: it goes to the next line. */
const shortMax = 24;
const host = /(?<![\p{L}\p{M}\p{N}_*.-])[\p{L}\p{M}\p{N}_*-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+/gu;
/** Stands in no text that is stored. */
const mark = '\0';

/** The text, of which long host names may be broken after each dot. */
export function breaking(text: string): ReactNode {
  if (text.length <= shortMax || !text.includes('.')) return text;
  const parts = text
    .replace(host, (name) => (name.length > shortMax ? name.replaceAll('.', `.${mark}`) : name))
    .split(mark);
  if (parts.length === 1) return text;
  return parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <span className="break" />}
      {part}
    </Fragment>
  ));
}
