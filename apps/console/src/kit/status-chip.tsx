import { Box, Chip, Tooltip, type Theme } from '@mui/material';

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

/** A state in one word, told by colour, dot and text. */
export function StatusChip({ tone, label, hint, busy = false }: StatusChipProps) {
  const chip = (
    <Chip
      size="small"
      label={label}
      icon={
        <Box
          component="span"
          sx={{
            width: 7,
            height: 7,
            borderRadius: '50%',
            bgcolor: 'currentColor',
            '@keyframes breathe': { '50%': { opacity: 0.25 } },
            animation: busy ? 'breathe 1.2s ease-in-out infinite' : 'none',
          }}
        />
      }
      sx={[look(tone), { fontWeight: 600, '& .MuiChip-icon': { color: 'inherit', ml: 1, mr: -0.25 } }]}
    />
  );
  return hint ? <Tooltip title={hint}>{chip}</Tooltip> : chip;
}
