import { Button, IconButton, Tooltip, type ButtonProps } from '@mui/material';
import type { MouseEvent, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

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
  const content = (
    <Button
      startIcon={icon ? <Icon name={icon} /> : undefined}
      disabled={disabledReason !== undefined}
      {...button}
    >
      {children}
    </Button>
  );
  if (disabledReason === undefined) return content;
  return (
    <Tooltip title={disabledReason}>
      <span tabIndex={0} aria-label={disabledReason}>
        {content}
      </span>
    </Tooltip>
  );
}

interface ActionIconProps {
  icon: IconName;
  label: string;
  onClick: (event: MouseEvent<HTMLElement>) => void;
  /** What it opens. */
  popup?: 'menu' | 'dialog';
  disabled?: boolean;
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
  size = 'small',
  expanded,
}: ActionIconProps) {
  return (
    <Tooltip title={disabled ? '' : label}>
      <span>
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
      </span>
    </Tooltip>
  );
}
