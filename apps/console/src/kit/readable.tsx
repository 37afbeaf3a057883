import type { ReactNode } from 'react';
import { readableDomains } from './domain-name.ts';

/**
 * What is shown, with domain names in it as people write them. The ASCII form is told on hover, and is what lists copy
 * (`data-copied`).
 */
export function readable(shown: ReactNode): ReactNode {
  if (typeof shown !== 'string') return shown;
  const text = readableDomains(shown);
  if (text === shown) return shown;
  return (
    <bdi title={shown} data-copied={shown}>
      {text}
    </bdi>
  );
}
