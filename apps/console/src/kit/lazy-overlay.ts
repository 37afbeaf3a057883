import { lazy, useEffect, useEffectEvent, type ComponentType } from 'react';
import { useText } from '../i18n/text.ts';
import { kitText } from './kit.text.ts';

/** What covers the page, fetched when it is first opened. Where it does not come, that is said, and the page stays as it is. */
export const lazyOverlay = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => orInstead(load(), OverlayMissing));

/** A part, or what is there instead where its code does not come. */
export async function orInstead<Props extends object>(
  part: Promise<ComponentType<Props>>,
  missing: ComponentType,
): Promise<{ default: ComponentType<Props> }> {
  return { default: await part.catch(() => missing as ComponentType<Props>) };
}

/** Closed at once, so that whoever asks for it again is told again. */
function OverlayMissing({ onClose }: { onClose?: () => void }) {
  const t = useText(kitText);
  const tell = useEffectEvent(() => {
    onClose?.();
    // By itself: the pages before sign-in have parts that cover them, and no messages.
    void import('./toast.ts').then(({ notify }) =>
      notify.error(t.partMissing, { label: t.reloadPage, onClick: () => location.reload() }),
    );
  });
  useEffect(() => tell(), []);
  return null;
}
