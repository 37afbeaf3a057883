import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { useText } from '../i18n/text.ts';
import { buttonLook, textLook } from './plain-look.ts';
import { ScreenLoadError, reloadWhenServed } from './screen-load-error.ts';
import { shellText } from './shell.text.ts';
import { SmallIcon } from './small-icons.tsx';

export interface ErrorPageProps {
  error: unknown;
  reset: () => void | Promise<unknown>;
}

/** What is shown where a screen broke: the message, a retry, a way home. */
export function ErrorPage({ error, reset }: ErrorPageProps) {
  const t = useText(shellText);
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await (error instanceof ScreenLoadError ? reloadWhenServed() : reset());
    setBusy(false);
  };
  return (
    <Frame role="alert">
      <SmallIcon name="warning" size={72} />
      <h1>{t.error.title}</h1>
      <div className="message">{error instanceof Error ? error.message : String(error)}</div>
      <div className="ways">
        <button
          type="button"
          className="button filled"
          disabled={busy}
          aria-busy={busy}
          onClick={() => void retry()}
        >
          {t.error.retry}
        </button>
        <a className="button" href="/">
          {t.error.home}
        </a>
      </div>
    </Frame>
  );
}

const Frame = styled('div')(({ theme }) => ({
  minHeight: '70vh',
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 16,
  padding: 24,
  textAlign: 'center',
  '& > svg': { color: theme.vars!.palette.warning.main },
  '& h1': { ...textLook(theme, 'h4'), margin: 0 },
  '& .message': {
    maxWidth: 560,
    overflowWrap: 'anywhere',
    color: theme.vars!.palette.text.secondary,
  },
  '& .ways': { display: 'flex', gap: 12 },
  ...buttonLook(theme),
}));
