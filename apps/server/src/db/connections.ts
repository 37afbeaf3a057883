import type { ServerRole } from '../config.ts';

/** The least that all parts of a process can work with. */
export const connectionsMin = 13;

/** How many connections to PostgreSQL each part of a process may have open. Their sum is what the process takes. */
export interface ConnectionShares {
  /** What people and nodes ask. */
  requests: number;
  /** Start, and what a worker does: two of a process that has none. */
  work: number;
  /** One for each channel that is listened to, and one that holds locks. */
  listeners: number;
}

export function shareConnections(total: number, roles: readonly ServerRole[]): ConnectionShares {
  const isWorker = roles.includes('worker');
  const listeners = 2 + (roles.includes('node') ? 1 : 0) + (isWorker ? 1 : 0);
  const others = {
    // Migrations run on one while another holds the lock.
    work: isWorker ? Math.max(6, Math.floor(total / 4)) : 2,
    listeners,
  };
  const taken = others.work + others.listeners;
  return { requests: total - taken, ...others };
}
