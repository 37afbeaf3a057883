import { Box, Card, Skeleton, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { errorColour } from './error-colour.ts';
import type { IconName } from './icon-names.ts';
import { Icon } from './icon.tsx';

interface FigureCardProps {
  label: string;
  /** Undefined: on its way. */
  value: string | undefined;
  detail?: ReactNode;
  icon?: IconName;
  tone?: 'primary' | 'info' | 'warning' | 'error' | 'secondary';
}

/** The tone of a count of what went wrong: none is no alarm. */
export const alarmTone = (count: number | undefined) => (count ? 'error' : 'primary');

/** How wide a digit of the heading's font is, and a little more, in its own size. */
const characterWidth = 0.65;

/** One figure that is read from afar. */
export function FigureCard(props: FigureCardProps) {
  const { label, value, icon, tone = 'primary' } = props;
  // A detail that comes with the figure has its line from the start, so that nothing below moves.
  const detail = 'detail' in props && value === undefined ? <Skeleton width="80%" /> : props.detail;
  return (
    <Card
      role="group"
      aria-label={label}
      sx={{ p: { xs: 1.75, sm: 2.5 }, minWidth: 0, containerType: 'inline-size' }}
    >
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="body2" sx={{ color: 'text.secondary', fontWeight: 500, minWidth: 0 }}>
          {label}
        </Typography>
        {icon && (
          <Box
            sx={(theme) => ({
              display: { xs: 'none', sm: 'block' },
              p: 0.75,
              borderRadius: 1.5,
              lineHeight: 0,
              color: theme.vars!.palette[tone].main,
              bgcolor: theme.alpha(theme.vars!.palette[tone].main, 0.12),
              ...theme.applyStyles('dark', { color: theme.vars!.palette[tone].light }),
            })}
          >
            <Icon name={icon} size={20} />
          </Box>
        )}
      </Stack>
      {/* Below the icon, and smaller where the card is too narrow for it: a long figure never reaches over its edge. */}
      <Typography
        component="p"
        variant="h4"
        sx={{
          mt: 0.5,
          whiteSpace: 'nowrap',
          fontSize: `min(1.5rem, ${100 / (characterWidth * (value?.length ?? 1))}cqi)`,
        }}
      >
        {value ?? <Skeleton width="60%" />}
      </Typography>
      {detail && (
        <Typography
          component="div"
          variant="caption"
          sx={[{ color: 'text.secondary', mt: 0.5 }, detailLink, ...(tone === 'error' ? [wrongLink] : [])]}
        >
          {detail}
        </Typography>
      )}
    </Card>
  );
}

/** A link has the colour of what it says: of an error where there is one. */
const detailLink = { '& a': { color: 'inherit', textDecoration: 'underline' } } as const;
const wrongLink = { '& a': errorColour } as const;

/** Cards side by side: so many columns where there is room, two on a phone. */
export function FigureGrid({ columns = 3, children }: { columns?: number; children: ReactNode }) {
  const gridTemplateColumns = {
    xs: 'repeat(2, minmax(0, 1fr))',
    md: `repeat(${columns === 4 ? 4 : Math.min(columns, 3)}, minmax(0, 1fr))`,
    lg: `repeat(${columns}, minmax(0, 1fr))`,
  };
  // On a phone nothing stands alone beside an empty place.
  const alone = { '& > :last-child:nth-of-type(odd)': { gridColumn: { xs: '1 / -1', md: 'auto' } } };
  return (
    <Box sx={{ display: 'grid', gap: { xs: 1.5, sm: 3 }, gridTemplateColumns, ...alone }}>{children}</Box>
  );
}
