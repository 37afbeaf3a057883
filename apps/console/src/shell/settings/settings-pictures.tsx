import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import type { Settings } from '../../theme/settings.ts';

/** Small drawings of what a setting does, in the colours of the scheme. */

function Screen({ children }: { children: ReactNode }) {
  return (
    <Box
      component="svg"
      viewBox="0 0 64 40"
      aria-hidden
      sx={{ width: 64, height: 40, display: 'block', '[dir=rtl] &': { transform: 'scaleX(-1)' } }}
    >
      <Box
        component="rect"
        x={0.5}
        y={0.5}
        width={63}
        height={39}
        rx={5}
        sx={{ fill: 'var(--mui-palette-background-default)', stroke: 'var(--mui-palette-divider)' }}
      />
      {children}
    </Box>
  );
}

const strong = { fill: 'var(--mui-palette-primary-main)' };
const soft = { fill: 'var(--mui-palette-primary-main)', opacity: 0.32 };

export function LayoutPicture({ layout }: { layout: Settings['navLayout'] }) {
  if (layout === 'horizontal')
    return (
      <Screen>
        <rect x={4} y={4} width={56} height={7} rx={2} style={soft} />
        <rect x={7} y={6} width={8} height={3} rx={1} style={strong} />
        <rect x={4} y={14} width={56} height={22} rx={2} style={{ ...soft, opacity: 0.12 }} />
      </Screen>
    );
  const width = layout === 'mini' ? 8 : 17;
  return (
    <Screen>
      <rect x={4} y={4} width={width} height={32} rx={2} style={soft} />
      <rect x={6} y={7} width={width - 4} height={3} rx={1} style={strong} />
      <rect x={7 + width} y={4} width={53 - width} height={32} rx={2} style={{ ...soft, opacity: 0.12 }} />
    </Screen>
  );
}

export function NavColorPicture({ color }: { color: Settings['navColor'] }) {
  const filled = color === 'apparent';
  return (
    <Screen>
      <rect
        x={4}
        y={4}
        width={17}
        height={32}
        rx={2}
        style={
          filled
            ? { fill: 'var(--mui-palette-grey-800)' }
            : { fill: 'none', stroke: 'var(--mui-palette-grey-500)' }
        }
      />
      <rect x={7} y={8} width={11} height={3} rx={1} style={strong} />
      <rect x={24} y={4} width={36} height={32} rx={2} style={{ ...soft, opacity: 0.12 }} />
    </Screen>
  );
}
