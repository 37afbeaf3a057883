import { Box } from '@mui/material';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { onBusy } from '../api/busy.ts';

/** Spec §9: where it starts, how fast it moves, and how it creeps on while the page is awaited. */
const minimum = 0.08;
const speedMs = 200;
const trickle = { step: 0.02, everyMs: 800, upTo: 0.994 };

/** How far the page, or a change that takes its time, is on its way, from 0 to 1; null when nothing is. */
function useProgress(): number | null {
  const router = useRouter();
  const [progress, setProgress] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    let hide: ReturnType<typeof setTimeout> | undefined;
    const awaited = { page: false, change: false };
    const start = (what: keyof typeof awaited) => {
      awaited[what] = true;
      clearInterval(timer);
      clearTimeout(hide);
      setProgress(minimum);
      timer = setInterval(
        () => setProgress((at) => Math.min(trickle.upTo, (at ?? minimum) + trickle.step)),
        trickle.everyMs,
      );
    };
    const complete = (what: keyof typeof awaited) => {
      awaited[what] = false;
      if (awaited.page || awaited.change) return;
      clearInterval(timer);
      setProgress((at) => (at === null ? null : 1));
      hide = setTimeout(() => setProgress(null), speedMs * 2);
    };
    const unsubscribe = [
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && start('page')),
      router.subscribe('onResolved', () => complete('page')),
      onBusy((busy) => (busy ? start('change') : complete('change'))),
    ];
    return () => {
      for (const stop of unsubscribe) stop();
      clearInterval(timer);
      clearTimeout(hide);
    };
  }, [router]);
  return progress;
}

/** A line along the top of the window while a page or a change is on its way. */
export function ProgressBar() {
  const progress = useProgress();
  if (progress === null) return null;
  return (
    <Box
      data-progress={progress.toFixed(2)}
      sx={{
        position: 'fixed',
        zIndex: 'tooltip',
        top: 0,
        left: 0,
        height: 3,
        bgcolor: 'primary.main',
        pointerEvents: 'none',
        transition: `width ${speedMs}ms ease, opacity ${speedMs}ms ease ${speedMs}ms`,
      }}
      style={{ width: `${progress * 100}%`, opacity: progress === 1 ? 0 : 1 }}
    />
  );
}
