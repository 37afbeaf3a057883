import { useCallback } from 'react';
import { useText } from '../i18n/text.ts';
import { kitText } from '../kit/kit.text.ts';
import { notify, type NoticeAction } from '../kit/toast.ts';

/** Makes the change back again. What somebody else has changed since, the server refuses by its version. */
export type Undo = () => Promise<unknown>;

/** What a message offers besides, for ten seconds: taking back what it tells of. */
export function useUndo() {
  const kit = useText(kitText);
  return useCallback(
    (undo: Undo): NoticeAction => ({
      label: kit.undo,
      onClick: () =>
        void undo().then(
          () => notify.success(kit.undone),
          (error: Error) => notify.refused(error.message, kit.failed.undo),
        ),
    }),
    [kit],
  );
}
