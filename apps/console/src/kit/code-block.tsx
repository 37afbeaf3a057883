import { Box, Typography } from '@mui/material';
import { monospace } from '../theme/theme.ts';
import { CopyButton } from './copy-text.tsx';

/** Lines to be copied into a shell or file. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <Box
      component="section"
      aria-label={label}
      sx={{ borderRadius: 1, border: 1, borderColor: 'divider', overflow: 'hidden' }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', px: 1.5, py: 0.25, bgcolor: 'action.hover' }}>
        <Typography variant="caption" sx={{ flex: 1, fontWeight: 600, color: 'text.secondary' }}>
          {label}
        </Typography>
        <CopyButton text={text} label={label} />
      </Box>
      <Box
        component="pre"
        dir="ltr"
        sx={{
          m: 0,
          p: 1.5,
          textAlign: 'start',
          fontFamily: monospace,
          fontSize: 13,
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {text}
      </Box>
    </Box>
  );
}
