import type { Order } from '@breakwater/contract';
import { defineText } from '../i18n/text.ts';

export const orderStatusText = defineText({
  zh: {
    active: '有效',
    expired: '已过期',
    suspended: '已暂停',
    cancelled: '已取消',
  } satisfies Record<Order['status'], string>,
  en: { active: 'Active', expired: 'Expired', suspended: 'Suspended', cancelled: 'Cancelled' },
});
