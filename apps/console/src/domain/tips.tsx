import type { Tip } from '@breakwater/contract';
import { Alert, AlertTitle, Stack, type AlertColor } from '@mui/material';

const severities: Record<Tip['color'], AlertColor> = {
  green: 'success',
  gray: 'info',
  yellow: 'warning',
  red: 'error',
};

/** What a product has to say on the overview of its sites. */
export function Tips({ tips }: { tips: readonly Tip[] }) {
  return (
    <Stack sx={{ gap: 1.5 }}>
      {tips.map(({ title, content, color }, index) => (
        <Alert
          key={index}
          severity={severities[color]}
          icon={color === 'gray' ? false : undefined}
          sx={{
            overflowWrap: 'anywhere',
            ...(color === 'gray' ? { bgcolor: 'action.hover', color: 'text.primary' } : {}),
          }}
        >
          <AlertTitle>{title}</AlertTitle>
          {content}
        </Alert>
      ))}
    </Stack>
  );
}
