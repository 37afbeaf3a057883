import { Button, IconButton, Link as MuiLink, Tooltip, type ButtonProps } from '@mui/material';
import { Link } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import type { Target } from './links.ts';

interface RouterLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  target: Target;
  ref?: Ref<HTMLAnchorElement>;
}

/** The router's link in the plain shape that MUI's `component` wants. */
export function RouterLink({ target, ...anchor }: RouterLinkProps) {
  return <Link to={target.to} search={target.search as never} {...anchor} />;
}

export function TextLink({ target, children }: { target: Target; children: ReactNode }) {
  return (
    <MuiLink component={RouterLink} target={target} sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
      {children}
    </MuiLink>
  );
}

interface LinkButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'size' | 'disabled'> {
  target: Target;
  icon?: IconName;
  children: ReactNode;
}

export function LinkButton({ target, icon, children, ...look }: LinkButtonProps) {
  return (
    <Button component={RouterLink} target={target} startIcon={icon ? <Icon name={icon} /> : undefined} {...look}>
      {children}
    </Button>
  );
}

export function LinkIconButton({ target, icon, label }: { target: Target; icon: IconName; label: string }) {
  return (
    <Tooltip title={label}>
      <IconButton component={RouterLink} target={target} aria-label={label}>
        <Icon name={icon} />
      </IconButton>
    </Tooltip>
  );
}
