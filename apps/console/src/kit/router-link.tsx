import { Button, IconButton, type ButtonProps } from '@mui/material';
import type { ScreenId } from '@breakwater/contract';
import { Link } from '@tanstack/react-router';
import { createContext, useContext, type AnchorHTMLAttributes, type ReactNode, type Ref } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { isForOthers, screenOf, type Target } from './links.ts';
import { Hint } from './hint.tsx';
import { readable } from './readable.tsx';

interface RouterLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target'> {
  link: Target;
  ref?: Ref<HTMLAnchorElement>;
}

/** The router's link in the plain shape that MUI's `component` wants. */
export function RouterLink({ link, ...anchor }: RouterLinkProps) {
  return <Link to={link.to} search={link.search} {...anchor} />;
}

/** Whether whoever looks may open a screen; the shell says. */
export const MayOpen = createContext<(id: ScreenId) => boolean>(() => true);

function useMayFollow(target: Target): boolean {
  const mayOpen = useContext(MayOpen);
  const screen = screenOf(target);
  return !isForOthers(target) && (screen === undefined || mayOpen(screen));
}

/** Only its text where the screen is not for whoever looks. */
export function TextLink({ target, children }: { target: Target; children: ReactNode }) {
  const shown = readable(children);
  if (!useMayFollow(target)) return shown;
  return (
    // Plain, with its look in the theme: a list has some in each row.
    <Link to={target.to} search={target.search} className="text-link">
      {shown}
    </Link>
  );
}

interface LinkButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'size' | 'disabled'> {
  target: Target;
  icon?: IconName;
  children: ReactNode;
}

/** Nothing where the screen is not for whoever looks. */
export function LinkButton({ target, icon, children, ...look }: LinkButtonProps) {
  if (!useMayFollow(target)) return null;
  return (
    <Button
      component={RouterLink}
      link={target}
      startIcon={icon ? <Icon name={icon} /> : undefined}
      {...look}
    >
      {children}
    </Button>
  );
}

export function LinkIconButton({ target, icon, label }: { target: Target; icon: IconName; label: string }) {
  if (!useMayFollow(target)) return null;
  return (
    <Hint title={label}>
      <IconButton component={RouterLink} link={target} aria-label={label}>
        <Icon name={icon} />
      </IconButton>
    </Hint>
  );
}
