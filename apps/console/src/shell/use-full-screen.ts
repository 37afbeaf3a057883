import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}

async function toggle(): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen();
  } catch (error) {
    console.warn('the browser refuses full screen', error);
  }
}

/** Whether the console fills the screen, and what turns it. */
export function useFullScreen(): [boolean, () => void] {
  const isFull = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  return [isFull, () => void toggle()];
}
