import * as z from 'zod';
import { id } from './common.ts';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';

/** HTTPS of the control plane itself, on the ports that it has: both consoles and the node API. */
export const platformHttps = z
  .strictObject({
    /** The certificate that is shown, one of the platform's own; null: these ports speak HTTP alone. */
    certificate_id: id.nullable().default(null),
    /** Requests over HTTP are sent to HTTPS. Those of nodes, and of the machine itself, are answered as before. */
    redirect: z.boolean().default(false),
  })
  .check(({ value, issues }) => {
    if (value.redirect && value.certificate_id === null)
      issues.push({ code: 'custom', path: ['certificate_id'], message: 'required', input: null });
  });
export type PlatformHttps = z.infer<typeof platformHttps>;

export const platformHttpsSettings = defineSetting('platform_https', {
  schema: platformHttps,
  initial: {},
  about: 'HTTPS of the consoles and the node API: the certificate, and redirects from HTTP',
  readBy: settingReaders,
  permission: 'setting.platform_https',
});

export const platformHttpsRoutes = defineRoutes({
  getPlatformHttps: platformHttpsSettings.read,
  updatePlatformHttps: platformHttpsSettings.write,
});
