import { Menu, MenuItem } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { writeClipboard } from '../copy-text.tsx';
import { notify } from '../toast.ts';
import { asCsv, asJson, asMarkdown } from './copy-forms.ts';
import type { ShownRows } from './shown-rows.ts';
import { tableText } from './table.text.ts';

export interface Copied {
  shown: () => ShownRows;
  /** The same rows as the server gave them. */
  data: readonly object[];
}

interface CopyMenuProps {
  anchor: HTMLElement;
  copied: Copied;
  onClose: () => void;
}

/** The forms in which rows can be copied: tables as they are shown, JSON as the API has them. */
export function CopyMenu({ anchor, copied: { shown, data }, onClose }: CopyMenuProps) {
  const t = useText(tableText);
  const forms = [
    { name: 'CSV', text: () => asCsv(shown()) },
    { name: 'JSON', text: () => asJson(data) },
    { name: 'Markdown', text: () => asMarkdown(shown()) },
  ];
  const copy = async (name: string, text: string) => {
    onClose();
    try {
      await writeClipboard(text);
      notify.success(t.copiedAs(data.length, name));
    } catch {
      // The browser keeps pages that are not in front from the clipboard.
      notify.error(t.copyRefused);
    }
  };
  return (
    <Menu anchorEl={anchor} open onClose={onClose}>
      {forms.map(({ name, text }) => (
        <MenuItem key={name} onClick={() => void copy(name, text())}>
          {t.copyAs(name)}
        </MenuItem>
      ))}
    </Menu>
  );
}
