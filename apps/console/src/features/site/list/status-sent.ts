import type { Site } from '@breakwater/contract';
import { useCallback } from 'react';
import { useChange } from '../../../api/change.ts';
import { useUndo, type Undo } from '../../../frame/undo.ts';
import { useText } from '../../../i18n/text.ts';
import { notify } from '../../../kit/toast.ts';
import { siteText } from '../site.text.ts';

/** Says that a site's status was changed and offers the one before, where that is one that people set. */
export function useStatusSent(onSent: ((undo?: Undo) => void) | undefined) {
  const t = useText(siteText);
  const offer = useUndo();
  const { mutateAsync } = useChange('updateSiteStatus');
  return useCallback(
    ({ id, status }: Site, version: number) => {
      // `status` is the one before. Nobody can set a site back to `checking` or to a suspension by a cause.
      const undo =
        status === 'online' || status === 'offline'
          ? () => mutateAsync({ params: { id }, body: { version, status } })
          : undefined;
      if (onSent) onSent(undo);
      else notify.success(t.saved.sent, undo && offer(undo));
    },
    [mutateAsync, onSent, offer, t],
  );
}
