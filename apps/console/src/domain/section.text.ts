import type { SiteRevision } from '@breakwater/contract';
import { defineText } from '../i18n/text.ts';

/** The sections of a configuration, and what else a version of one is about. */
export const sectionText = defineText({
  zh: {
    site: '创建站点',
    domains: '域名',
    status: '状态',
    rollback: '回滚',
    import: '导入',
    origin_server_config: '源站',
    backend_health_check: '健康检查',
    cache_rule: '缓存规则',
    speed_optimize: '压缩与预加载',
    certificate_settings: 'HTTPS',
    listen_port: '端口',
    security: '访问限制',
    real_ip: '访客真实 IP',
    access_control: '访问控制',
    block_referer: '防盗链',
    content_rewrite: '重写',
    advanced_config: '高级设置',
  } satisfies Record<SiteRevision['section'], string>,
  en: {
    site: 'Site created',
    domains: 'Domains',
    status: 'Status',
    rollback: 'Rollback',
    import: 'Import',
    origin_server_config: 'Origin',
    backend_health_check: 'Health checks',
    cache_rule: 'Cache rules',
    speed_optimize: 'Compression and preload',
    certificate_settings: 'HTTPS',
    listen_port: 'Ports',
    security: 'Limits',
    real_ip: 'Real client IP',
    access_control: 'Access control',
    block_referer: 'Hotlink protection',
    content_rewrite: 'Rewrites',
    advanced_config: 'Advanced settings',
  },
});
