/** The groups of administrators that every installation starts with, from most to least. */
export const builtinGroups = ['owner', 'operator', 'support', 'finance', 'read_only'] as const;
export type BuiltinGroup = (typeof builtinGroups)[number];

interface PermissionEntry {
  /** Who can hold it: `both` are administrators, and customers for what is theirs. */
  holders: 'admin' | 'user' | 'both';
  /** The shipped groups that hold it when it is new to an installation; from then on operators decide. */
  shipped: readonly BuiltinGroup[];
  /** False: no API token can hold it, for it leads to other accounts. */
  tokens?: false;
  /** False: it is about a customer as a whole, and nothing for who is limited to sites. */
  sites?: false;
}

const readers = builtinGroups;
const supporters = ['owner', 'operator', 'support'] as const;
const operators = ['owner', 'operator'] as const;
const owners = ['owner'] as const;

/**
 * Everything that may be allowed, by what it is about and what is done with it. A route and a screen name one. The order
 * is that of the form of a group; what they are called stands in `permissions.text.ts`.
 */
export const permissions = {
  'site.read': { holders: 'both', shipped: readers },
  'site.write': { holders: 'both', shipped: operators },
  'site.delete': { holders: 'both', shipped: operators },
  'site.delete_forced': { holders: 'admin', shipped: operators },
  'site.sync': { holders: 'admin', shipped: supporters },
  'site.refresh': { holders: 'both', shipped: supporters },
  'site.grant_domain': { holders: 'admin', shipped: operators },
  'site_level.read': { holders: 'admin', shipped: readers },
  'site_level.write': { holders: 'admin', shipped: operators },
  'tag.read': { holders: 'both', shipped: readers, sites: false },
  'tag.write': { holders: 'both', shipped: operators, sites: false },
  'address_list.read': { holders: 'both', shipped: readers, sites: false },
  'address_list.write': { holders: 'both', shipped: operators, sites: false },
  'certificate.read': { holders: 'both', shipped: readers, sites: false },
  'certificate.write': { holders: 'both', shipped: operators, sites: false },
  'acme_account.read': { holders: 'admin', shipped: readers },
  'acme_account.write': { holders: 'admin', shipped: operators },
  'dns_account.read': { holders: 'both', shipped: readers, sites: false },
  'dns_account.write': { holders: 'both', shipped: operators, sites: false },
  'captcha_account.read': { holders: 'both', shipped: readers, sites: false },
  'captcha_account.write': { holders: 'both', shipped: operators, sites: false },
  'statistics.read': { holders: 'both', shipped: readers },
  'access_log.read': { holders: 'both', shipped: readers },
  'site_reject.read': { holders: 'both', shipped: readers },
  'site_reject.create': { holders: 'both', shipped: supporters },
  'site_reject.release': { holders: 'both', shipped: supporters },
  'site_violation.read': { holders: 'both', shipped: readers },
  'site_violation.appeal': { holders: 'both', shipped: supporters },
  'site_violation.decide': { holders: 'admin', shipped: operators },
  'domain_name_blacklist.read': { holders: 'admin', shipped: readers },
  'domain_name_blacklist.write': { holders: 'admin', shipped: operators },
  'data_export.read': { holders: 'admin', shipped: readers },
  'data_export.write': { holders: 'admin', shipped: supporters },
  'node.read': { holders: 'admin', shipped: readers },
  'node.write': { holders: 'admin', shipped: operators },
  'area.read': { holders: 'admin', shipped: readers },
  'area.write': { holders: 'admin', shipped: operators },
  'line_group.read': { holders: 'admin', shipped: readers },
  'line_group.write': { holders: 'admin', shipped: operators },
  'log_store.read': { holders: 'admin', shipped: readers },
  'log_store.write': { holders: 'admin', shipped: operators },
  'product.read': { holders: 'admin', shipped: readers },
  'product.write': { holders: 'admin', shipped: operators },
  'client.read': { holders: 'admin', shipped: readers },
  'client.write': { holders: 'admin', shipped: supporters },
  'client.password': { holders: 'admin', shipped: operators, tokens: false },
  'client.delete': { holders: 'admin', shipped: operators },
  'member.read': { holders: 'both', shipped: readers, sites: false },
  'member.write': { holders: 'both', shipped: supporters, tokens: false, sites: false },
  'member.password': { holders: 'both', shipped: operators, tokens: false, sites: false },
  'order.read': { holders: 'both', shipped: readers, sites: false },
  'order.write': { holders: 'admin', shipped: supporters },
  'order.move': { holders: 'admin', shipped: operators },
  'order.delete': { holders: 'admin', shipped: operators },
  'task.read': { holders: 'admin', shipped: readers },
  'task.write': { holders: 'admin', shipped: operators },
  'task.delete': { holders: 'admin', shipped: operators },
  'operation_log.read': { holders: 'admin', shipped: readers },
  'activity.read': { holders: 'both', shipped: readers },
  'system.read': { holders: 'admin', shipped: readers },
  'ip_data.read': { holders: 'admin', shipped: readers },
  'ip_data.write': { holders: 'admin', shipped: operators },
  'setting.read': { holders: 'admin', shipped: readers },
  'setting.console': { holders: 'admin', shipped: owners },
  'setting.site': { holders: 'admin', shipped: owners },
  'setting.site_port': { holders: 'admin', shipped: operators },
  'setting.log_privacy': { holders: 'admin', shipped: operators },
  'setting.retention': { holders: 'admin', shipped: owners },
  'setting.http_filter': { holders: 'admin', shipped: operators },
  'setting.filing': { holders: 'admin', shipped: operators },
  'setting.waf': { holders: 'admin', shipped: operators },
  'setting.limits': { holders: 'admin', shipped: owners },
  'setting.platform_https': { holders: 'admin', shipped: owners },
  'setting.log_shipping': { holders: 'admin', shipped: owners },
  'setting.log_shipping_test': { holders: 'admin', shipped: operators },
  'admin_user.read': { holders: 'admin', shipped: owners },
  'admin_user.write': { holders: 'admin', shipped: owners, tokens: false },
  'admin_user.group': { holders: 'admin', shipped: owners, tokens: false },
  'waf_matcher.read': { holders: 'both', shipped: readers },
  'waf_matcher.write': { holders: 'both', shipped: operators },
  'false_alarm.read': { holders: 'both', shipped: readers },
  'false_alarm.create': { holders: 'both', shipped: supporters },
  'false_alarm.handle': { holders: 'admin', shipped: supporters },
  'filing.read': { holders: 'both', shipped: readers, sites: false },
  'filing.write': { holders: 'both', shipped: operators, sites: false },
  'filing.decide': { holders: 'admin', shipped: operators },
} as const satisfies Record<`${string}.${string}`, PermissionEntry>;

type Catalogue = typeof permissions;
export type Permission = keyof Catalogue;
type HeldBy<Who extends PermissionEntry['holders']> = {
  [Name in Permission]: Catalogue[Name]['holders'] extends Who | 'both' ? Name : never;
}[Permission];
export type AdminPermission = HeldBy<'admin'>;
export type UserPermission = HeldBy<'user'>;
export type SharedPermission = HeldBy<'both'>;
/** What a permission is about: its name up to the dot. */
export type PermissionSubject = Permission extends `${infer Subject}.${string}` ? Subject : never;

const entries = Object.entries(permissions) as [Permission, PermissionEntry][];
const heldBy = (holder: 'admin' | 'user') =>
  entries.flatMap(([name, { holders }]) => (holders === holder || holders === 'both' ? [name] : []));
export const adminPermissions = heldBy('admin') as AdminPermission[];
export const userPermissions = heldBy('user') as UserPermission[];
/** What an API token can hold: nothing by which it could become somebody else. */
export const tokenPermissions = entries.flatMap(([name, { tokens }]) => (tokens === false ? [] : [name]));

/** What a shipped group holds in a new installation. */
export const shippedPermissions = (group: BuiltinGroup): AdminPermission[] =>
  adminPermissions.filter((name) => (permissions[name].shipped as readonly BuiltinGroup[]).includes(group));

/**
 * Who may come to a route or a screen. `admin` lives on the admin port, `user` and `node` on the user port, `both` and
 * `signed_in` on both; what `both` allows a customer is their own rows only. `signed_in` asks for no permission; where it
 * is about the account itself (`tokens: false`) it wants a session, not an API token. What makes something new, or begins
 * a batch, is for nobody who is limited to sites (`sites: false`).
 */
export type Access =
  | { kind: 'public'; on: 'admin' | 'user' | 'both' }
  | { kind: 'admin'; permission: AdminPermission }
  | { kind: 'user'; permission: UserPermission }
  | { kind: 'both'; permission: SharedPermission; sites?: false }
  | { kind: 'signed_in'; tokens?: false }
  | { kind: 'node' };

export type Role = 'admin' | 'user';
/** Somebody who is signed in, with what they hold. */
export interface Holder {
  role: Role;
  permissions: ReadonlySet<Permission>;
  /** Came with an API token instead of a session. */
  byToken?: boolean;
  /** Reaches certain sites only, and what belongs to them. */
  limited?: boolean;
}

/** Whether a person may come in: the one check of server, menus and console. */
export function allows(access: Access, holder: Holder): boolean {
  const { role, permissions: held, byToken = false, limited = false } = holder;
  switch (access.kind) {
    case 'public':
      return true;
    case 'signed_in':
      return access.tokens !== false || !byToken;
    case 'node':
      return false;
    case 'both':
      return held.has(access.permission) && !(limited && isOfWhole(access));
    case 'admin':
      // What only operators may do is of the platform, or of more than certain sites.
      return role === 'admin' && held.has(access.permission) && !limited;
    case 'user':
      return role === 'user' && held.has(access.permission) && !(limited && isOfWhole(access));
  }
}

/** Whether something is of a customer as a whole, not of some of their sites. */
export const isOfWhole = (access: { permission: Permission; sites?: false }): boolean =>
  access.sites === false || (permissions[access.permission] as PermissionEntry).sites === false;

/** The roles that an access is for, whatever each person of them holds. */
export const rolesOf = (access: Access): readonly Role[] =>
  access.kind === 'admin' || access.kind === 'user'
    ? [access.kind]
    : access.kind === 'node'
      ? []
      : ['admin', 'user'];
