import { Button, IconButton, type ButtonProps } from '@mui/material';
import type { MouseEvent, ReactNode } from 'react';
import { Denied } from './denied.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { Hint } from './hint.tsx';

interface ActionButtonProps extends Pick<
  ButtonProps,
  'variant' | 'color' | 'size' | 'onClick' | 'loading' | 'type'
> {
  icon?: IconName | undefined;
  /** Why the action is off; it stays reachable, so that the reason can be read. */
  disabledReason?: string | undefined;
  children: ReactNode;
}

export function ActionButton({ icon, disabledReason, children, ...button }: ActionButtonProps) {
  return (
    <Denied reason={disabledReason}>
      <Button startIcon={icon ? <Icon name={icon} /> : undefined} {...button}>
        {children}
      </Button>
    </Denied>
  );
}

interface ActionIconProps {
  icon: IconName;
  label: string;
  onClick: (event: MouseEvent<HTMLElement>) => void;
  /** What it opens. */
  popup?: 'menu' | 'dialog';
  disabled?: boolean;
  /** Why it is off; it stays reachable, so that the reason can be read. */
  disabledReason?: string | undefined;
  size?: 'small' | 'medium';
  /** Whether what it unfolds is unfolded. */
  expanded?: boolean;
}

export function ActionIcon({
  icon,
  label,
  onClick,
  popup,
  disabled = false,
  disabledReason,
  size = 'small',
  expanded,
}: ActionIconProps) {
  const button = (
    <IconButton
      aria-label={label}
      aria-expanded={expanded}
      aria-haspopup={popup}
      onClick={onClick}
      disabled={disabled}
      size={size}
    >
      <Icon name={icon} size={size === 'small' ? 18 : 20} />
    </IconButton>
  );
  if (disabledReason !== undefined) return <Denied reason={disabledReason}>{button}</Denied>;
  return (
    <Hint title={disabled ? '' : label}>
      <span>{button}</span>
    </Hint>
  );
}
