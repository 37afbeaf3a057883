import { toast } from 'sonner';

/** One place for short-lived messages, so that the library behind them is a detail. */
export const notify = {
  /** `action`: what leads on from there. */
  success: (message: string, action?: { label: string; onClick: () => void }) =>
    toast.success(message, action && { action }),
  error: (message: string) => toast.error(message),
  info: (message: string) => toast.info(message),
  /** Replaces the message of the same id. */
  waiting: (id: string, message: string) => toast.loading(message, { id }),
  settled: (id: string, message: string) => toast.success(message, { id, duration: 5000 }),
  failed: (id: string, message: string) => toast.error(message, { id, duration: 10_000 }),
  dismiss: (id: string) => toast.dismiss(id),
};
