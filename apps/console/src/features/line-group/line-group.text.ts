import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const lineGroupText = defineText({
  zh: {
    ...wordsOf.zh('线路组'),
    subtitle: '一组共同服务同一批站点的节点，供产品与订单使用。',
    nodes: '节点数',
    sites: '站点数',
    emptyHint: '添加线路组并绑定节点，之后即可在产品中选用。',
    removeBody: (name: string) => `将删除线路组“${name}”。仍被产品或订单使用的线路组不能删除。`,
    overview: '基本信息',
    bound: '已绑定节点',
    boundHint: '新绑定的节点会收到此线路组的全部站点；解除绑定后停止服务这些站点。',
    bind: '绑定节点',
    bindSubmit: '绑定',
    bindSaved: '节点已绑定',
    unboundNodes: '要绑定的节点',
    unboundHint: '输入名称查找尚未绑定的节点，可多选。已绑定的节点不受影响。',
    unbind: '解除绑定',
    unbindTitle: '解除节点绑定？',
    unbindBody: (names: readonly string[]) =>
      names.length === 1
        ? `节点“${names[0]}”将停止服务此线路组的站点。`
        : `${names.length} 个节点将停止服务此线路组的站点。`,
    unbound: '已解除绑定',
    noNodes: '还没有绑定节点',
    noNodesHint: '没有节点时，使用此线路组的站点无法提供服务。',
    node: '节点',
    ip: 'IP 地址',
    enabled: '启用',
    disabled: '已停用',
    state: '状态',
  },
  en: {
    ...wordsOf.en('line group'),
    subtitle: 'Groups of nodes that serve the same sites, used by products and orders.',
    nodes: 'Nodes',
    sites: 'Sites',
    emptyHint: 'Add a line group and bind nodes to it, then select it in products.',
    removeBody: (name: string) =>
      `Line group “${name}” will be deleted. Line groups used by a product or an order cannot be deleted.`,
    overview: 'Details',
    bound: 'Bound nodes',
    boundHint: 'Newly bound nodes receive all sites of this line group; unbound nodes stop serving them.',
    bind: 'Bind nodes',
    bindSubmit: 'Bind',
    bindSaved: 'Nodes bound',
    unboundNodes: 'Nodes to bind',
    unboundHint:
      'Type a name to find nodes that are not bound yet; select one or more. Bound nodes are not affected.',
    unbind: 'Unbind',
    unbindTitle: 'Unbind nodes?',
    unbindBody: (names: readonly string[]) =>
      names.length === 1
        ? `Node “${names[0]}” will stop serving the sites of this line group.`
        : `${names.length} nodes will stop serving the sites of this line group.`,
    unbound: 'Nodes unbound',
    noNodes: 'No nodes bound yet',
    noNodesHint: 'Without nodes, sites of this line group are not served.',
    node: 'Node',
    ip: 'IP address',
    enabled: 'Enabled',
    disabled: 'Disabled',
    state: 'Status',
  },
});
