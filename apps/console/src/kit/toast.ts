import { toast } from 'sonner';

/** What leads on from a message, or takes back what it tells of. */
export interface NoticeAction {
  label: string;
  onClick: () => void;
}

/** How long a message stays that offers something, in milliseconds: long enough to read it and to reach its button. */
const offeredMs = 10_000;

/** One place for short-lived messages, so that the library behind them is a detail. */
export const notify = {
  success: (message: string, action?: NoticeAction) =>
    toast.success(message, action && { action, duration: offeredMs }),
  error: (message: string) => toast.error(message),
  info: (message: string) => toast.info(message),
  /** Replaces the message of the same id. */
  waiting: (id: string, message: string, action?: NoticeAction) =>
    toast.loading(message, { id, action: action ?? null }),
  /** What the message of the same id offered, it offers on. */
  settled: (id: string, message: string) => toast.success(message, { id, duration: offeredMs }),
  failed: (id: string, message: string) => toast.error(message, { id, duration: offeredMs }),
  dismiss: (id: string) => toast.dismiss(id),
};
