import type { ReplaySection } from '@breakwater/contract';
import { Suspense, useState } from 'react';
import { useText } from '../../../i18n/text.ts';
import { useDenial } from '../../../frame/denial.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { lazyOverlay } from '../../../kit/lazy-overlay.ts';
import { useLevel } from '../section/host.tsx';
import { siteReplayText } from './replay.text.ts';

const ReplayDrawer = lazyOverlay(() => import('./replay-drawer.tsx').then((part) => part.ReplayDrawer));

interface ReplayButtonProps {
  section: ReplaySection;
  /** What is in the form, once it is without errors; nothing where it is not. */
  draftOf: () => Promise<{ value: object; own?: string[] | undefined } | undefined>;
}

/** Tries what is in the form on requests of the past. */
export function ReplayButton({ section, draftOf }: ReplayButtonProps) {
  const t = useText(siteReplayText);
  const denial = useDenial();
  const denied = denial(useLevel() === null ? 'replaySiteSection' : 'replayLevelSection');
  const [draft, setDraft] = useState<{ value: object; own?: string[] | undefined } | null>(null);
  return (
    <>
      <ActionButton
        icon="log"
        variant="outlined"
        disabledReason={denied}
        onClick={() => void draftOf().then((found) => setDraft(found ?? null))}
      >
        {t.run}
      </ActionButton>
      {draft && (
        <Suspense>
          <ReplayDrawer draft={{ section, ...draft }} onClose={() => setDraft(null)} />
        </Suspense>
      )}
    </>
  );
}
