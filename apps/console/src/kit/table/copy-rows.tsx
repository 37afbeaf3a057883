import { Button } from '@mui/material';
import { Suspense, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { Icon } from '../icon.tsx';
import { lazyOverlay } from '../lazy-overlay.ts';
import type { Copied } from './copy-menu.tsx';
import { tableText } from './table.text.ts';

const CopyMenu = lazyOverlay(() => import('./copy-menu.tsx').then((module) => module.CopyMenu));

/** Copies rows in a form that is chosen: of those that are selected a button with a name, of a whole page an icon. */
export function CopyRows({ copied, page = false }: { copied: Copied; page?: boolean }) {
  const t = useText(tableText);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const open = ({ currentTarget }: React.MouseEvent<HTMLElement>) => setAnchor(currentTarget);
  return (
    <>
      {page ? (
        <ActionIcon icon="copy" label={t.copyPage} onClick={open} popup="menu" size="medium" />
      ) : (
        <Button
          size="small"
          color="inherit"
          aria-haspopup="menu"
          startIcon={<Icon name="copy" />}
          onClick={open}
        >
          {t.copySelected}
        </Button>
      )}
      {anchor && (
        <Suspense>
          <CopyMenu anchor={anchor} copied={copied} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}
