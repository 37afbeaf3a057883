import type { ServerRole } from '../config.ts';

/** The least that all parts of a process can work with. */
export const connectionsMin = 12;

/** How many connections to PostgreSQL each part of a process may have open. Their sum is what the process takes. */
export interface ConnectionShares {
  /** What people and nodes ask. */
  requests: number;
  /** Start, and work by the clock: two of a process that has no worker. */
  work: number;
  /** The queue's own. */
  queue: number;
  /** What leaves jobs to a worker. */
  sender: number;
  /** One for each channel that is listened to. */
  listeners: number;
}

export function shareConnections(total: number, roles: readonly ServerRole[]): ConnectionShares {
  const isWorker = roles.includes('worker');
  const listeners = roles.includes('node') ? 2 : 1;
  const others = {
    // Migrations run on one while another holds the lock.
    work: isWorker ? Math.max(4, Math.floor(total / 5)) : 2,
    queue: isWorker ? 2 : 0,
    sender: 1,
    listeners,
  };
  const taken = others.work + others.queue + others.sender + others.listeners;
  return { requests: total - taken, ...others };
}
