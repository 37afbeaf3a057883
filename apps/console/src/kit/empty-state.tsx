import { Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import type { IconName } from './icon-names.ts';
import { Icon } from './icon.tsx';

interface EmptyStateProps {
  /** That of what is listed; what a menu leads to has the one of its entry. */
  icon: IconName;
  title: string;
  /** What to do next. */
  hint?: string;
  action?: ReactNode;
}

export function EmptyState({ icon, title, hint, action }: EmptyStateProps) {
  return (
    <Stack sx={{ alignItems: 'center', textAlign: 'center', py: 7, px: 3, gap: 1 }}>
      <Icon name={icon} size={56} sx={{ color: 'text.disabled', mb: 1 }} />
      <Typography variant="h6" component="p">
        {title}
      </Typography>
      {hint && (
        <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: 440, mb: action ? 1.5 : 0 }}>
          {hint}
        </Typography>
      )}
      {action}
    </Stack>
  );
}
