import type { TagColour } from '@breakwater/contract';
import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const tagText = defineText({
  zh: {
    ...wordsOf.zh('标签'),
    title: '站点标签',
    subtitle: '使用标签对站点分组，在站点列表中按标签筛选和批量操作。',
    color: '颜色',
    colors: {
      gray: '灰色',
      blue: '蓝色',
      cyan: '青色',
      green: '绿色',
      yellow: '黄色',
      orange: '橙色',
      red: '红色',
      purple: '紫色',
    } satisfies Record<TagColour, string>,
    sites: '站点数',
    emptyHint: '添加标签后，在站点列表中选择站点即可添加标签。',
    takenOff: (name: string, sites: number) => `标签“${name}”将从 ${sites} 个站点移除，站点不受影响。`,
  },
  en: {
    ...wordsOf.en('tag'),
    title: 'Site tags',
    subtitle: 'Group sites with tags, then filter and run batch operations by tag in the site list.',
    color: 'Color',
    colors: {
      gray: 'Gray',
      blue: 'Blue',
      cyan: 'Cyan',
      green: 'Green',
      yellow: 'Yellow',
      orange: 'Orange',
      red: 'Red',
      purple: 'Purple',
    },
    sites: 'Sites',
    emptyHint: 'Add a tag, then select sites in the site list to tag them.',
    takenOff: (name: string, sites: number) =>
      `Tag “${name}” will be removed from ${sites === 1 ? '1 site' : `${sites} sites`}. The sites are not affected.`,
  },
});
