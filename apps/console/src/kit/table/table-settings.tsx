import { Stack } from '@mui/material';
import { Suspense, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { lazyOverlay } from '../lazy-overlay.ts';
import type { Copied } from './copy-menu.tsx';
import { CopyRows } from './copy-rows.tsx';
import type { TableView } from './table-view.ts';
import { tableText } from './table.text.ts';

const TableViewMenu = lazyOverlay(() =>
  import('./table-view-menu.tsx').then((module) => module.TableViewMenu),
);

interface TableSettingsProps {
  headers: ReadonlyMap<string, string>;
  view: TableView;
  /** What the page has; nothing where it is empty. */
  copied: Copied | undefined;
  onExport: () => void;
}

/** What is shown as a file or a copy, and the way to how it is shown. */
export function TableSettings({ headers, view, copied, onExport }: TableSettingsProps) {
  const t = useText(tableText);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <Stack direction="row">
      {copied && (
        <>
          <CopyRows copied={copied} page />
          <ActionIcon icon="download" label={t.exportCsv} onClick={onExport} size="medium" />
        </>
      )}
      <ActionIcon
        icon="table"
        label={t.view}
        popup="dialog"
        expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        size="medium"
      />
      {anchor && (
        <Suspense>
          <TableViewMenu anchor={anchor} headers={headers} view={view} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </Stack>
  );
}
