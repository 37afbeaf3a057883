import { Box } from '@mui/material';

interface UnitSelectProps {
  label: string;
  units: readonly { name: string; size: number }[];
  value: number;
  onChange: (size: number) => void;
  disabled?: boolean;
}

/** The unit of a number, at the end of its field. A native select: a second input of MUI's within a field is none of its shapes. */
export function UnitSelect({ label, units, value, onChange, disabled = false }: UnitSelectProps) {
  return (
    <Box
      component="select"
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event: React.ChangeEvent<HTMLSelectElement>) => onChange(Number(event.target.value))}
      sx={{
        font: 'inherit',
        fontSize: 14,
        color: 'text.secondary',
        bgcolor: 'transparent',
        border: 0,
        borderRadius: 0.5,
        py: 0.5,
        cursor: disabled ? 'default' : 'pointer',
        '& option': { color: 'text.primary', bgcolor: 'background.paper' },
        '&:focus-visible': { outline: 2, outlineColor: 'primary.main' },
      }}
    >
      {units.map(({ name, size }) => (
        <option key={size} value={size}>
          {name}
        </option>
      ))}
    </Box>
  );
}
