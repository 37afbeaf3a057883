import { styled } from '@mui/material/styles';
import { useText } from '../i18n/text.ts';
import { shellText } from './shell.text.ts';

/** The whole window waits: for the server's addresses, for who is signed in, for a page's code. */
export function FullScreenLoading() {
  const t = useText(shellText);
  return (
    <Frame role="status" aria-label={t.loading}>
      <div>
        <div />
      </div>
    </Frame>
  );
}

const Frame = styled('div')(({ theme }) => ({
  position: 'fixed',
  inset: 0,
  display: 'grid',
  placeItems: 'center',
  '& > div': {
    width: 240,
    height: 4,
    borderRadius: 2,
    overflow: 'hidden',
    backgroundColor: theme.alpha(theme.vars!.palette.primary.main, 0.2),
  },
  '@keyframes pass': {
    from: { transform: 'translateX(-100%)' },
    to: { transform: 'translateX(250%)' },
  },
  '& > div > div': {
    width: '40%',
    height: '100%',
    backgroundColor: theme.vars!.palette.primary.main,
    animation: 'pass 1.2s ease-in-out infinite',
  },
}));
