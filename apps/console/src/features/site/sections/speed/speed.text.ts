import type { SpeedOptimize } from '@breakwater/contract';
import { defineText } from '../../../../i18n/text.ts';

type Labels<Key extends string> = Record<Key, string>;

export const siteSpeedText = defineText({
  zh: {
    compression: '压缩',
    compressionHint:
      '节点在缓存之前压缩一次，命中缓存时直接返回；已缓存的内容过期后才会压缩。源站已压缩或标记 no-transform 的内容不再处理。许多源站（如未设置 gzip_proxied 的 nginx）不压缩回源请求的响应，因此建议在此开启。',
    gzip: 'gzip',
    gzipHint: '所有浏览器均支持。',
    brotli: 'Brotli',
    brotliHint: '比 gzip 体积更小，浏览器支持时优先使用；不支持 Brotli 的节点改用 gzip。',
    level: '压缩级别',
    levels: { fast: '快', balanced: '均衡', best: '最小体积' } satisfies Labels<SpeedOptimize['level']>,
    levelHint: '级别越高，占用节点 CPU 越多；每份内容只压缩一次',
    minLength: '最小大小',
    minLengthHint: '小于此大小的内容不压缩',
    types: '内容类型',
    typesHint: '仅压缩这些类型。图片、视频已经过压缩，无需添加。',
    preload: '预加载',
    preloadHint: '通过响应头 Link: rel=preload 让浏览器提前加载资源。仅作用于状态码为 200 的 HTML 页面。',
    preloadEmpty: '还没有预加载资源',
    preloadEmptyHint: '添加网页首屏需要的样式、字体或脚本。',
    add: '添加资源',
    remove: (url: string) => `删除资源 ${url}`,
    item: (url: string) => `资源 ${url}`,
    path: '网页路径',
    pathHint: '例如 /；/news/* 匹配其下全部网页',
    url: '资源 URL',
    as: '资源类型',
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
      'Nodes compress once before caching, so hits cost nothing extra. Content that is already cached is compressed after it expires. Content compressed by the origin or marked no-transform is left unchanged. Many origins, such as nginx without gzip_proxied, do not compress what a proxy asks for, so turn it on here.',
    gzip: 'gzip',
    gzipHint: 'Supported by all browsers.',
    brotli: 'Brotli',
    brotliHint:
      'Smaller than gzip and preferred when supported by the browser. Nodes without Brotli use gzip.',
    level: 'Compression level',
    levels: { fast: 'Fast', balanced: 'Balanced', best: 'Smallest' },
    levelHint: 'Higher levels use more CPU on the node; each response is compressed once',
    minLength: 'Minimum size',
    minLengthHint: 'Smaller responses are not compressed',
    types: 'Content types',
    typesHint: 'Only these types are compressed. Images and videos already are.',
    preload: 'Preload',
    preloadHint:
      'Tells browsers to load resources early with the Link: rel=preload header. Only on HTML pages with status 200.',
    preloadEmpty: 'No preload resources',
    preloadEmptyHint: 'Add styles, fonts or scripts needed for the first view of a page.',
    add: 'Add resource',
    remove: (url: string) => `Remove resource ${url}`,
    item: (url: string) => `Resource ${url}`,
    path: 'Page path',
    pathHint: 'Such as /; /news/* matches all pages below',
    url: 'Resource URL',
    as: 'Resource type',
    kinds: { style: 'Style', script: 'Script', font: 'Font', image: 'Image', fetch: 'Data' },
  },
});
