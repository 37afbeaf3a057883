import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { writeClipboard } from '../copy-text.tsx';
import { Icon } from '../icon.tsx';
import { kitText } from '../kit.text.ts';

/** Copies a cell. A plain button, since each row has some; the grid gives it its look and shows it on hover and focus. */
export function CopyCell({ text, label }: { text: string; label: string }) {
  const t = useText(kitText);
  const [copied, setCopied] = useState(false);
  const name = copied ? t.copied : `${t.copy} ${label}`;
  const copy = async () => {
    await writeClipboard(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" className="copy" aria-label={name} title={name} onClick={() => void copy()}>
      <Icon name={copied ? 'check' : 'copy'} size={16} />
    </button>
  );
}
