import type { toast } from 'sonner';
import { language } from '../i18n/language.ts';
import { kitText } from './kit.text.ts';
import { readableDomains } from './domain-name.ts';

/** What leads on from a message, or takes back what it tells of. */
export interface NoticeAction {
  label: string;
  onClick: () => void;
}

/** How long a message stays that offers something, in milliseconds: long enough to read it and to reach its button. */
const offeredMs = 10_000;

/**
 * Said once the library is there, which comes with the place where messages appear: no screen waits for it. In the order
 * in which it was asked for.
 */
const say = (tell: (to: typeof toast) => unknown): void =>
  void import('sonner').then(
    (library) => tell(library.toast),
    (error: unknown) => console.warn('cannot show a message', error),
  );

/** One place for short-lived messages, so that the library behind them is a detail. */
export const notify = {
  success: (message: string, action?: NoticeAction) =>
    say((to) => to.success(readableDomains(message), action && { action, duration: offeredMs })),
  error: (message: string, action?: NoticeAction) =>
    say((to) => to.error(readableDomains(message), action && { action, duration: offeredMs })),
  /** What a call was refused with, below what has failed. */
  refused: (message: string, title = kitText[language.get()].failed.operation) =>
    say((to) => to.error(title, { description: readableDomains(message) })),
  info: (message: string) => say((to) => to.info(readableDomains(message))),
  /** Replaces the message of the same id. */
  waiting: (id: string, message: string, action?: NoticeAction) =>
    say((to) => to.loading(readableDomains(message), { id, action: action ?? null })),
  /** What the message of the same id offered, it offers on. */
  settled: (id: string, message: string) =>
    say((to) => to.success(readableDomains(message), { id, duration: offeredMs })),
  failed: (id: string, message: string) =>
    say((to) => to.error(readableDomains(message), { id, duration: offeredMs })),
  dismiss: (id: string) => say((to) => to.dismiss(id)),
};
