import * as z from 'zod';
import { count, dateTime, id, optionalIdText } from './common.ts';
import { defineRoutes } from './define.ts';
import { eventActors, eventKinds, eventSubjects, type EventSubject } from './event.ts';
import type { Permission } from './permissions.ts';
import { diffEntry } from './site.ts';

/** What one has to hold, besides `activity.read`, to see what happened to something: what shows the thing itself. */
export const activityPermissions: Record<EventSubject, Permission> = {
  site: 'site.read',
  node: 'node.read',
  line_group: 'line_group.read',
  area: 'area.read',
  product: 'product.read',
  tag: 'tag.read',
  client: 'client.read',
  member: 'member.read',
  order: 'order.read',
  certificate: 'certificate.read',
  certificate_order: 'certificate.read',
  acme_account: 'acme_account.read',
  address_list: 'address_list.read',
  ip_data: 'ip_data.read',
  site_level: 'site_level.read',
  site_batch: 'site.read',
  setting: 'setting.read',
  admin_user: 'admin_user.read',
  admin_group: 'admin_user.read',
  waf_matcher: 'waf_matcher.read',
  false_alarm: 'false_alarm.read',
  domain_name_blacklist: 'domain_name_blacklist.read',
  filing: 'filing.read',
};

export const activity = z.strictObject({
  id: count,
  at: dateTime,
  kind: z.enum(eventKinds),
  subject_kind: z.enum(eventSubjects),
  /** Null for what has no number. */
  subject_id: id.nullable(),
  /** As it was called then. */
  subject_name: z.string(),
  actor_type: z.enum(eventActors),
  /** Empty for what customers are not told: who works for the platform, and which node it was. */
  actor_name: z.string(),
  /** The name of the API token that the actor's program came with; empty: in person. */
  program: z.string(),
  /** The section of a configuration that was changed. */
  section: z.string().optional(),
  /** What it is about besides, in its own words: a domain, the name of a token, a node's complaint. */
  about: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  changes: z.array(diffEntry),
  /** So many changes more are not kept. */
  more: count,
});
export type Activity = z.infer<typeof activity>;

const activityPageMax = 100;

export const activityRoutes = defineRoutes({
  listActivity: {
    method: 'GET',
    path: '/prod-api/activity',
    summary:
      'List the activity of an object, or of everything the caller may read, newest first. To get the next page, pass the returned `next` as `before`.',
    access: { kind: 'both', permission: 'activity.read' },
    query: z.strictObject({
      /** Absent: of everything that the caller may read. */
      subject_kind: z.enum(eventSubjects).optional(),
      subject_id: optionalIdText,
      before: z.coerce.number().pipe(count).optional(),
      page_size: z.coerce.number().pipe(z.int().min(1).max(activityPageMax)).default(20),
    }),
    response: z.strictObject({ list: z.array(activity), next: count.nullable() }),
  },
});
