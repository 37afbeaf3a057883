import { Hint } from './hint.tsx';

export type Tone = 'success' | 'warning' | 'error' | 'info' | 'neutral';

interface StatusChipProps {
  tone: Tone;
  label: string;
  /** Said on hover. */
  hint?: string | undefined;
  /** A dot that breathes: something is under way. */
  busy?: boolean;
}

/** A state in one word, told by colour, dot and text. Its look is in `theme/plain-parts.ts`. */
export function StatusChip({ tone, label, hint, busy = false }: StatusChipProps) {
  const chip = (
    <span className={`chip ${tone}${busy ? ' busy' : ''}`}>
      <span>{label}</span>
    </span>
  );
  return hint ? <Hint title={hint}>{chip}</Hint> : chip;
}
