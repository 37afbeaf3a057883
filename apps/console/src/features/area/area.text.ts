import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const areaText = defineText({
  zh: {
    ...wordsOf.zh('区域'),
    subtitle: '节点所在的地理位置，用于归类节点。',
    nodes: '节点数',
    emptyHint: '先添加一个区域（例如“华东”），再把节点放进去。',
    removeBody: (name: string) => `将删除区域“${name}”。只有没有节点的区域可以删除。`,
    hasNodes: '该区域还有节点',
  },
  en: {
    ...wordsOf.en('area'),
    subtitle: 'Where nodes stand. Areas order your nodes.',
    nodes: 'Nodes',
    emptyHint: 'Add an area first, such as “Europe West”, then put nodes into it.',
    removeBody: (name: string) => `Area “${name}” will be deleted. Only an area without nodes can be.`,
    hasNodes: 'This area still has nodes',
  },
});
