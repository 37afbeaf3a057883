import { isReplaySection, type SiteSection } from '@breakwater/contract';
import { useState, type ReactNode } from 'react';
import { useText } from '../../../i18n/text.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { formatCount, formatShare } from '../../../kit/format.ts';
import { siteReplayText } from './replay.text.ts';
import { useReplay } from './use-replay.ts';

/** Whoever saves waits so long for it at most. */
const waitMs = 4000;
/** Half of the requests: by then the change is more likely a mistake than meant. */
const shareMin = 0.5;
/** Of fewer requests a share says nothing. */
const requestsMin = 100;

interface Question {
  share: number;
  read: number;
  answer: (isMeant: boolean) => void;
}

/** Asks before a save that would have stopped most requests of the last hour. What cannot be tried is saved unasked. */
export function useStopGuard(name: SiteSection): {
  mayBeSaved: (value: object, own: string[] | undefined) => Promise<boolean>;
  dialog: ReactNode;
} {
  const t = useText(siteReplayText);
  const replay = useReplay();
  const [question, setQuestion] = useState<Question | null>(null);
  const mayBeSaved = async (value: object, own: string[] | undefined) => {
    if (!isReplaySection(name)) return true;
    // Over the last hour. An error, such as a missing permission or the time being over, is no reason to keep anyone from saving.
    const tried = replay({ section: name, value, own }, 1, AbortSignal.timeout(waitMs));
    const found = await tried.catch(() => undefined);
    if (!found || found.read < requestsMin || found.newly / found.read < shareMin) return true;
    return new Promise<boolean>((resolve) =>
      setQuestion({ share: found.newly / found.read, read: found.read, answer: resolve }),
    );
  };
  const close = (isMeant: boolean) => {
    question?.answer(isMeant);
    setQuestion(null);
  };
  const dialog = question && (
    <Confirm
      title={t.askTitle}
      body={t.ask(formatShare(question.share), formatCount(question.read))}
      action={t.askSave}
      onConfirm={() => {
        // The dialog closes next and answers no, which a promise that is settled passes over.
        question.answer(true);
        return Promise.resolve();
      }}
      onClose={() => close(false)}
    />
  );
  return { mayBeSaved, dialog };
}
