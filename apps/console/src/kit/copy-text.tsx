import { IconButton, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useText } from '../i18n/text.ts';
import { monospace } from '../theme/theme.ts';
import { Icon } from './icon.tsx';
import { kitText } from './kit.text.ts';
import { Hint } from './hint.tsx';
import { breaking } from './readable.tsx';

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useText(kitText);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await writeClipboard(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  const name = copied ? t.copied : label ? `${t.copy} ${label}` : t.copy;
  return (
    <Hint title={name}>
      <IconButton size="small" aria-label={name} onClick={() => void copy()}>
        <Icon name={copied ? 'check' : 'copy'} size={16} sx={copied ? { color: 'success.main' } : {}} />
      </IconButton>
    </Hint>
  );
}

/** Monospaced text with a button that copies it. */
export function CopyText({ text, label }: { text: string; label?: string }) {
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: 0.5, minWidth: 0 }}>
      <Typography component="code" sx={{ fontFamily: monospace, fontSize: 13, overflowWrap: 'anywhere' }}>
        {breaking(text)}
      </Typography>
      <CopyButton text={text} {...(label ? { label } : {})} />
    </Stack>
  );
}

/** The clipboard API exists in secure contexts only; a console on plain http copies by a selection. */
export async function writeClipboard(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
