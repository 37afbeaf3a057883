import { Chip } from '@mui/material';

/** Colours a person may give to a tag; each is dark enough for white text beside it. */
const colours = {
  gray: '#637381',
  blue: '#0c68e9',
  cyan: '#006c9c',
  green: '#10804f',
  yellow: '#8a6100',
  orange: '#b5560a',
  red: '#b71d18',
  purple: '#6a1b9a',
} as const;
export type TagChipColour = keyof typeof colours;

/** A tag in its colour. */
export function TagChip({ label, color }: { label: string; color: TagChipColour }) {
  return (
    <Chip
      size="small"
      label={label}
      sx={{ bgcolor: colours[color], color: '#fff', fontWeight: 600, maxWidth: 160 }}
    />
  );
}
