/** What nginx is given to hold a crowd with; see docs/operations.md#limits-of-the-system. */

/**
 * Connections that wait at a socket until a worker takes them, everywhere; the system's `net.core.somaxconn` makes less of it
 * where it is lower. nginx's own 511 is soon full at a Unix socket, where, unlike with TCP, a connection is then refused.
 */
export const backlog = 65_535;

export interface Capacity {
  /** Of one worker. A visitor takes one, and three more while an origin is asked, or five where its answer is held. */
  connections: number;
  /** Files of the cache that a worker keeps open between hits. */
  heldFiles: number;
}

const connectionsMax = 40_000;

/** Connections are files too, and so is each answer on its way into the cache: for those and the rest a sixth is left. */
export function capacityOf(openFilesMax: number): Capacity {
  const connections = Math.min(connectionsMax, Math.floor(openFilesMax * 0.7));
  const left = openFilesMax - connections - Math.ceil(openFilesMax * 0.15);
  return { connections, heldFiles: Math.min(20_000, left) };
}
