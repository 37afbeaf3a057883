import { Suspense, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { kitText } from './kit.text.ts';
import { lazyOverlay } from './lazy-overlay.ts';

const ActionMenu = lazyOverlay(() => import('./action-menu.tsx').then((part) => part.ActionMenu));

export interface RowAction {
  label: string;
  icon: IconName;
  onClick: () => void;
  destructive?: boolean;
  /** Why the action is off; it is shown below its name, and is its description. */
  disabledReason?: string | undefined;
}

interface RowActionsProps {
  name: string;
  /** Asked when the menu opens. */
  actions: () => readonly RowAction[];
}

export function RowActions({ name, actions }: RowActionsProps) {
  const t = useText(kitText);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (actions().length === 0) return null;
  return (
    <>
      <button
        type="button"
        // Plain, with its look in the theme: a list has one in each row.
        className="icon-button"
        aria-label={t.rowActions(name)}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="more" />
      </button>
      {anchor && (
        <Suspense>
          <ActionMenu anchor={anchor} actions={actions()} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}
