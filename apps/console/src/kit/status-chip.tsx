import { type Theme } from '@mui/material';
import { styled } from '@mui/material/styles';
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

const look = (tone: Tone) => (theme: Theme) => {
  if (tone === 'neutral')
    return { color: theme.vars!.palette.text.secondary, backgroundColor: 'rgba(145, 158, 171, 0.16)' };
  const palette = theme.vars!.palette[tone];
  return {
    color: tone === 'warning' || tone === 'success' ? palette.darker : palette.dark,
    backgroundColor: theme.alpha(palette.main, 0.16),
    ...theme.applyStyles('dark', { color: palette.light }),
  };
};

const Pill = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  height: 24,
  paddingInline: 8,
  borderRadius: 6,
  fontSize: '0.8125rem',
  fontWeight: 600,
  whiteSpace: 'nowrap',
  maxWidth: '100%',
  '&::before': {
    content: '""',
    flexShrink: 0,
    width: 7,
    height: 7,
    borderRadius: '50%',
    backgroundColor: 'currentColor',
  },
  '@keyframes breathe': { '50%': { opacity: 0.25 } },
  '&.busy::before': { animation: 'breathe 1.2s ease-in-out infinite' },
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis' },
});
/** One style for each tone: lists have a hundred of these. */
const pills = Object.fromEntries(
  (['success', 'warning', 'error', 'info', 'neutral'] as const).map((tone) => [
    tone,
    styled(Pill)(({ theme }) => look(tone)(theme)),
  ]),
) as unknown as Record<Tone, typeof Pill>;

/** A state in one word, told by colour, dot and text. */
export function StatusChip({ tone, label, hint, busy = false }: StatusChipProps) {
  const Toned = pills[tone];
  const chip = (
    <Toned className={busy ? 'busy' : ''}>
      <span>{label}</span>
    </Toned>
  );
  return hint ? <Hint title={hint}>{chip}</Hint> : chip;
}
