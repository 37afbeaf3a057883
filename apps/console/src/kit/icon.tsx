import { Box, type SxProps, type Theme } from '@mui/material';
import icons from 'virtual:icons';
import type { IconName } from './icon-names.ts';

type SystemStyle = Exclude<SxProps<Theme>, readonly unknown[]>;

const known = new Set(icons.names.split(' '));

export const isIcon = (name: string): name is IconName => known.has(name);

/** A bundled icon, decorative unless it has a `label`. */
export function Icon({
  name,
  size = 20,
  label,
  sx,
}: {
  name: IconName;
  size?: number;
  label?: string;
  sx?: SxProps<Theme>;
}) {
  const drawn = (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      {...(label ? { 'aria-label': label, role: 'img' } : { 'aria-hidden': true })}
    >
      <use href={`${icons.path}#${name}`} />
    </svg>
  );
  // Most have no style of their own, and are spared what one costs.
  if (sx === undefined) return <span style={frame}>{drawn}</span>;
  return (
    <Box
      component="span"
      sx={[frame, ...(Array.isArray(sx) ? (sx as readonly SystemStyle[]) : [sx as SystemStyle])]}
    >
      {drawn}
    </Box>
  );
}

const frame = { display: 'inline-flex', flexShrink: 0, lineHeight: 0 } as const;
