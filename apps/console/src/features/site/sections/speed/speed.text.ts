import type { SpeedOptimize } from '@breakwater/contract';
import { defineText } from '../../../../i18n/text.ts';

type Labels<Key extends string> = Record<Key, string>;

export const siteSpeedText = defineText({
  zh: {
    compression: '压缩',
    compressionHint:
      '节点在保存之前压缩一次，命中缓存时直接给出；已经保存的内容到期后才会压缩。源站已经压缩的、标明 no-transform 的不再处理。',
    gzip: 'gzip',
    gzipHint: '所有浏览器都支持。',
    brotli: 'Brotli',
    brotliHint: '比 gzip 更小，浏览器支持时优先；没有安装 Brotli 模块的节点改用 gzip（见节点详情）。',
    level: '压缩强度',
    levels: { fast: '快', balanced: '均衡', best: '最小' } satisfies Labels<SpeedOptimize['level']>,
    levelHint: '越小越占节点的 CPU；每份内容只压缩一次',
    minLength: '最小长度',
    minLengthHint: '比它短的不压缩',
    types: '内容类型',
    typesHint: '只压缩这些类型。图片、视频已经压缩过，不必加入。',
    preload: '预加载',
    preloadHint:
      '在网页的响应头里告诉浏览器先去取哪些资源（Link: rel=preload）。只加在状态为 200 的 HTML 上。',
    preloadEmpty: '还没有预加载资源',
    preloadEmptyHint: '添加网页首屏一定会用到的样式、字体或脚本。',
    add: '添加资源',
    remove: (n: number) => `删除资源 ${n}`,
    item: (n: number) => `资源 ${n}`,
    path: '网页路径',
    pathHint: '如 /，或 /news/* 表示其下所有网页',
    url: '资源地址',
    as: '资源种类',
    kinds: {
      style: '样式',
      script: '脚本',
      font: '字体',
      image: '图片',
      fetch: '数据',
    } satisfies Labels<SpeedOptimize['preload'][number]['as']>,
  },
  en: {
    compression: 'Compression',
    compressionHint:
      'Nodes compress once, before they keep an answer, so a hit costs nothing more; what they keep already is compressed once it has run out. What the origin has compressed, or marks no-transform, stays as it is.',
    gzip: 'gzip',
    gzipHint: 'Every browser takes it.',
    brotli: 'Brotli',
    brotliHint:
      'Smaller than gzip, and first where a browser takes it. Nodes without the module give gzip (see the node’s page).',
    level: 'How hard',
    levels: { fast: 'Fast', balanced: 'Balanced', best: 'Smallest' },
    levelHint: 'Smaller takes more of a node’s processor, once for each answer',
    minLength: 'Smallest length',
    minLengthHint: 'Shorter answers stay as they are',
    types: 'Content types',
    typesHint: 'Only these are compressed. Images and films already are.',
    preload: 'Preload',
    preloadHint:
      'Tells a browser in the header of a page what to fetch first (Link: rel=preload). Only on HTML with status 200.',
    preloadEmpty: 'Nothing is preloaded',
    preloadEmptyHint: 'Add the styles, fonts or scripts that the first view of a page needs.',
    add: 'Add resource',
    remove: (n: number) => `Remove resource ${n}`,
    item: (n: number) => `Resource ${n}`,
    path: 'Path of the page',
    pathHint: 'Such as /, or /news/* for all pages below',
    url: 'Address of the resource',
    as: 'Kind',
    kinds: { style: 'Style', script: 'Script', font: 'Font', image: 'Image', fetch: 'Data' },
  },
});
