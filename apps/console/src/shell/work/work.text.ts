import { defineText } from '../../i18n/text.ts';

export const workText = defineText({
  zh: {
    title: '任务进度',
    button: (open: number, failed: number) =>
      `任务进度：${open} 个进行中${failed > 0 ? `，${failed} 个失败` : ''}`,
    progress: (done: number, total: number) => `${done} / ${total}`,
    failedParts: (failed: number) => `${failed} 个失败`,
    more: (count: number) => `另有 ${count} 个进行中`,
    all: '查看全部任务',
    none: '没有进行中的任务，最近也没有任务结束。',
  },
  en: {
    title: 'Task progress',
    button: (open: number, failed: number) =>
      `Task progress: ${open} in progress${failed > 0 ? `, ${failed} failed` : ''}`,
    progress: (done: number, total: number) => `${done} of ${total}`,
    failedParts: (failed: number) => `${failed} failed`,
    more: (count: number) => `${count} more in progress`,
    all: 'View all tasks',
    none: 'No tasks are in progress, and none ended recently.',
  },
});
