import type { operatorTypes } from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';

export const operationLogText = defineText({
  zh: {
    title: '操作日志',
    subtitle: '谁在什么时候改了什么。密码等敏感内容已遮盖。',
    time: '时间',
    user: '操作人',
    userType: '用户类型',
    userTypes: { admin: '管理员', client: '客户', unknown: '未知' } satisfies Record<
      (typeof operatorTypes)[number],
      string
    >,
    userId: '用户 ID',
    ip: 'IP',
    method: '方法',
    path: '路径',
    status: '状态码',
    duration: '耗时',
    requestId: '请求 ID',
    query: '查询参数',
    requestBody: '请求内容',
    responseBody: '响应内容',
    empty: '还没有操作记录',
    emptyHint: '每一次修改都会记录在这里。',
  },
  en: {
    title: 'Operation log',
    subtitle: 'Who changed what, and when. Passwords and other secrets are masked.',
    time: 'Time',
    user: 'User',
    userType: 'User type',
    userTypes: { admin: 'Administrator', client: 'Customer', unknown: 'Unknown' },
    userId: 'User ID',
    ip: 'IP',
    method: 'Method',
    path: 'Path',
    status: 'Status',
    duration: 'Duration',
    requestId: 'Request ID',
    query: 'Query',
    requestBody: 'Request body',
    responseBody: 'Response body',
    empty: 'Nothing logged yet',
    emptyHint: 'Every change is written down here.',
  },
});
