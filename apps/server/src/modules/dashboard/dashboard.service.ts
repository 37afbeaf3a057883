import { dashboardEndingDays, dashboardListMax, type Permission } from '@breakwater/contract';
import type { Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { readEndingCertificates } from '../certificate/certificate.store.ts';
import { readNodeHealth } from '../node/node.store.ts';
import { readEndingOrders } from '../order/order.store.ts';
import { listServedFaults } from '../served-certificate/served-certificate.store.ts';
import { readLogRetention } from '../setting/setting.store.ts';
import { listSites } from '../site/site.store.ts';
import { listTasks } from '../task/task.store.ts';

export interface Hour {
  start_time: string;
  end_time: string;
}
const hourMs = 3_600_000;
const weekDays = 7;
const weekMs = weekDays * 24 * hourMs;
const iso = (time: number) => new Date(time).toISOString();

export const lastHour = (now: number): Hour => ({ start_time: iso(now - hourMs), end_time: iso(now) });

/** The same of a week before; null where figures are not kept for so long. */
export async function weekBefore<Result>(
  { db }: Pick<Services, 'db'>,
  { start_time, end_time }: Hour,
  read: (hour: Hour) => Promise<Result>,
): Promise<Result | null> {
  const { rollup_days: days } = await readLogRetention(db);
  if (days < weekDays) return null;
  const earlier = (time: string) => iso(Date.parse(time) - weekMs);
  return read({ start_time: earlier(start_time), end_time: earlier(end_time) });
}

/** What the caller may see of each; no part costs anything to whoever may not. */
export async function readState({ db }: Pick<Services, 'db'>, scope: Scope, { permissions }: Session) {
  const page = { current_page: 1, page_size: dashboardListMax };
  const ending = { days: dashboardEndingDays, most: dashboardListMax };
  const ifMay = async <Part>(permission: Permission, read: () => Promise<Part>): Promise<Part | null> =>
    permissions.has(permission) ? read() : null;
  const [sites, nodes, certificates, served, orders, tasks] = await Promise.all([
    ifMay('site.read', () => listSites(db, scope, { ...page, sort_by: 'id', sort_order: 'desc' })),
    ifMay('node.read', () => readNodeHealth(db, dashboardListMax)),
    ifMay('certificate.read', () => readEndingCertificates(db, scope, ending)),
    ifMay('site.read', () => listServedFaults(db, scope, page)),
    ifMay('order.read', () => readEndingOrders(db, scope, ending)),
    ifMay('task.read', async () => {
      const [failed, open] = await Promise.all([
        listTasks(db, { ...page, status: 'failed' }),
        listTasks(db, { ...page, page_size: 1, open: true }),
      ]);
      return { open: open.total, failed: failed.total, latest_failed: failed.list };
    }),
  ]);
  return {
    sites: sites && { total: sites.total, latest: sites.list },
    nodes,
    certificates,
    served: served && { total: served.total, list: served.list },
    orders,
    tasks,
  };
}
