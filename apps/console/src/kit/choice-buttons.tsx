import { Box, ToggleButton, ToggleButtonGroup } from '@mui/material';

interface ChoiceButtonsProps<Value extends string> {
  label: string;
  value: Value;
  values: readonly Value[];
  names: Record<Value, string>;
  onChange: (value: Value) => void;
}

/** One of a few, all in sight: what a screen shows, or how. On a narrow window they scroll in their own row. */
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
