import { Button, IconButton, type ButtonProps } from '@mui/material';
import { useId, type MouseEvent, type ReactNode } from 'react';
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
  /** The id of the element that names what it is for: read out after the label, where many have the same. */
  of?: string;
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
  of,
  onClick,
  popup,
  disabled = false,
  disabledReason,
  size = 'small',
  expanded,
}: ActionIconProps) {
  const id = useId();
  const button = (
    <IconButton
      id={id}
      aria-label={label}
      aria-labelledby={of === undefined ? undefined : `${id} ${of}`}
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
