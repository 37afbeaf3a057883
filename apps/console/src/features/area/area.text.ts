import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const areaText = defineText({
  zh: {
    ...wordsOf.zh('区域'),
    subtitle: '节点所在的地理位置，用于归类节点。',
    nodes: '节点数',
    emptyHint: '添加区域（例如“华东”）后，即可在节点中选用。',
    removeBody: (name: string) => `将删除区域“${name}”。只有没有节点的区域可以删除。`,
    hasNodes: '请先将此区域的节点移到其他区域',
  },
  en: {
    ...wordsOf.en('area'),
    subtitle: 'Geographic locations for grouping nodes.',
    nodes: 'Nodes',
    emptyHint: 'Add an area such as “Europe West”, then select it for your nodes.',
    removeBody: (name: string) => `Area “${name}” will be deleted. Only areas without nodes can be deleted.`,
    hasNodes: 'Move the nodes of this area to another area first',
  },
});
