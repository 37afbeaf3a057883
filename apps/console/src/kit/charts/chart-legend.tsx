import { Box, ButtonBase, Stack } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { chartText } from './chart.text.ts';

export interface LegendEntry {
  name: string;
  colour: string;
  dashed?: boolean;
}

interface ChartLegendProps {
  title: string;
  entries: readonly LegendEntry[];
  hidden: ReadonlySet<string>;
  onToggle: (name: string) => void;
}

/** Which line is which; each can be taken away and brought back. It is text, so it mirrors with the layout. */
export function ChartLegend({ title, entries, hidden, onToggle }: ChartLegendProps) {
  const t = useText(chartText);
  return (
    <Stack
      direction="row"
      role="group"
      aria-label={t.legend(title)}
      sx={{ flexWrap: 'wrap', justifyContent: 'flex-end', columnGap: 1, mb: 0.5 }}
    >
      {entries.map(({ name, colour, dashed }) => (
        <ButtonBase
          key={name}
          aria-pressed={!hidden.has(name)}
          onClick={() => onToggle(name)}
          sx={{
            gap: 0.75,
            px: 0.75,
            py: 0.25,
            borderRadius: 1,
            fontFamily: 'inherit',
            fontSize: 13,
            color: hidden.has(name) ? 'text.secondary' : 'text.primary',
            textDecoration: hidden.has(name) ? 'line-through' : 'none',
            '&:hover': { bgcolor: 'action.hover' },
            '&:focus-visible': { outline: 2, outlineColor: 'primary.main' },
          }}
        >
          <Box
            component="span"
            sx={
              dashed
                ? { width: 14, borderTop: `2px dashed ${colour}` }
                : {
                    width: 8,
                    height: 8,
                    borderRadius: '50%',
                    bgcolor: colour,
                    opacity: hidden.has(name) ? 0.4 : 1,
                  }
            }
          />
          <span>{name}</span>
        </ButtonBase>
      ))}
    </Stack>
  );
}
