import { Box } from '@mui/material';
import { monospace } from '../theme/theme.ts';

/** JSON text set out readably; text that is no JSON as it is. */
export function JsonView({ text }: { text: string }) {
  return (
    <Box
      component="pre"
      dir="ltr"
      tabIndex={0}
      sx={{
        m: 0,
        p: 1.5,
        maxHeight: 280,
        overflow: 'auto',
        borderRadius: 1,
        bgcolor: 'action.hover',
        fontFamily: monospace,
        fontSize: 12.5,
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      {pretty(text)}
    </Box>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
