import * as z from 'zod';
import { idParams, port, portRanges } from './common.ts';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';

/** Ports that sites may have beside those of the nodes: a range, less the denied. */
export const sitePortSetting = z
  .strictObject({ first: port, last: port, denied: portRanges })
  .check((context) => {
    const { first, last } = context.value;
    if (first > last)
      context.issues.push({ code: 'custom', path: ['last'], message: 'port_range', input: last });
  });
export type SitePortSetting = z.infer<typeof sitePortSetting>;

/**
 * Denied: what a machine is likely to run itself, and the ports that browsers refuse to open (the list of bad ports in
 * the Fetch standard).
 */
export const sitePortDefault: SitePortSetting = {
  first: 1,
  last: 65_535,
  denied: (
    '1-79 87 95 101-119 123 135-139 143 161 179 389 427 445 465 512-515 526 530-532 540 548 554 556 563 587 601 636 ' +
    '989-995 1433 1521 1719-1723 2049 2375-2380 3306 3389 3659 4045 4190 5060-5061 5432 5900 6000 6379 6566 6665-6669 ' +
    '6679 6697 9200 9300 10080 11211 27017'
  ).split(' '),
};

export function isPortAllowed(setting: SitePortSetting, wanted: number): boolean {
  if (wanted < setting.first || wanted > setting.last) return false;
  return !setting.denied.some((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return first <= wanted && wanted <= last;
  });
}

/** What a site may use, and what the nodes of its line group have. */
export const sitePortRange = z.strictObject({
  ...sitePortSetting.shape,
  /** How many ports a site of this product may have; null without end. */
  ports_max: z.int().nullable(),
  /** Where the nodes answer for every site. */
  node_http_ports: z.array(port),
  node_https_ports: z.array(port),
  nodes_total: z.int(),
  nodes_ipv6: z.int(),
  nodes_http3: z.int(),
});
export type SitePortRange = z.infer<typeof sitePortRange>;

export const sitePortSettings = defineSetting('site_port', {
  schema: sitePortSetting,
  initial: sitePortDefault,
  about:
    'Custom ports that sites may use in addition to the default ports of nodes; ports already in use stay open',
  readBy: settingReaders,
  permission: 'setting.site_port',
});

export const sitePortRoutes = defineRoutes({
  getSitePortRange: {
    method: 'GET',
    path: '/prod-api/site/{id}/port_range',
    summary: 'Get the custom ports that a site may use, and the ports its nodes listen on.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    response: sitePortRange,
  },
  getSitePortSetting: sitePortSettings.read,
  updateSitePortSetting: sitePortSettings.write,
});
