import { Box, ToggleButton, ToggleButtonGroup, type Theme } from '@mui/material';

interface ChoiceButtonsProps<Value extends string> {
  label: string;
  value: Value;
  values: readonly Value[];
  names: Record<Value, string>;
  onChange: (value: Value) => void;
}

/** One of a few, all in sight: what a screen shows, or how. On a narrow window they take as many lines as they need. */
export function ChoiceButtons<Value extends string>({
  label,
  value,
  values,
  names,
  onChange,
}: ChoiceButtonsProps<Value>) {
  return (
    <Box sx={{ minWidth: 0, maxWidth: '100%', overflowX: 'auto' }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={value}
        aria-label={label}
        sx={narrowLook}
        // The chosen one pressed again: the group then says that none is chosen.
        onChange={(_, chosen: Value | null) => chosen !== null && onChange(chosen)}
      >
        {values.map((each) => (
          <ToggleButton key={each} value={each} sx={{ px: { xs: 1.1, sm: 1.75 }, whiteSpace: 'nowrap' }}>
            {names[each]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
}

/** Each has its own frame there: those of one row are open towards their neighbours. */
const narrowLook = (theme: Theme) => ({
  [theme.breakpoints.down('sm')]: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: 0.5,
    '& .MuiToggleButtonGroup-grouped': {
      m: 0,
      border: 1,
      borderColor: 'divider',
      borderRadius: 1,
    },
  },
});
