import type { Access, PermissionSubject, RouteName } from '@breakwater/contract';

/** What calls read and change: what permissions are about, and the account that is signed in. */
export type Subject = PermissionSubject | 'account';

/** Calls whose permission does not say what they read or change; nothing where a change only asks. */
const told: Partial<Record<RouteName, readonly Subject[]>> = {
  getDashboardState: ['site', 'node', 'certificate', 'order', 'task'],
  getSetupState: ['site', 'node', 'line_group'],
  getWork: ['task'],
  search: ['site', 'node', 'client', 'product', 'order'],
  getConsoleSetting: ['setting'],
  testDnsAccount: ['dns_account'],
  testCaptchaAccount: ['captcha_account'],
  listCertificateAuthorities: ['acme_account'],
  applySiteCertificate: ['certificate', 'task'],
  applySiteCertificates: ['certificate', 'task'],
  previewCertificates: [],
  uploadCertificates: ['certificate', 'site', 'task'],
  readSiteDrafts: [],
  explainSite: [],
  replaySiteSection: [],
  replayLevelSection: [],
  probeSiteRefresh: [],
  previewSiteImport: [],
  previewSiteLevelSection: [],
  previewSiteLevelRollback: [],
  testLogShipping: [],
  reportConsoleFault: [],
};

/** What else shows something of it: a name, a count, a state that follows from it. */
const shownIn: Partial<Record<Subject, readonly Subject[]>> = {
  account: ['admin_user'],
  admin_user: ['account'],
  acme_account: ['certificate'],
  area: ['node'],
  node: ['area', 'line_group', 'setting', 'task', 'site', 'certificate', 'access_log'],
  line_group: ['node', 'product', 'order', 'site', 'filing', 'task', 'setting', 'ip_data', 'access_log'],
  filing: ['site', 'task'],
  product: ['order', 'site', 'site_level'],
  client: [
    'order',
    'site',
    'site_level',
    'tag',
    'certificate',
    'address_list',
    'dns_account',
    'captcha_account',
    'filing',
    'member',
    'waf_matcher',
    'site_violation',
    'statistics',
    'access_log',
    'node',
  ],
  order: ['client', 'product', 'site', 'task', 'node', 'access_log'],
  site: [
    'client',
    'order',
    'line_group',
    'tag',
    'certificate',
    'address_list',
    'captcha_account',
    'site_reject',
    'site_violation',
    'filing',
    'task',
    'site_level',
    'member',
    'false_alarm',
    'statistics',
    'access_log',
    'node',
  ],
  site_level: ['site', 'address_list', 'captcha_account', 'task'],
  tag: ['site'],
  address_list: ['site', 'site_level', 'task'],
  captcha_account: ['site', 'site_level', 'task'],
  certificate: ['site', 'task', 'dns_account', 'acme_account'],
  task: ['site', 'data_export', 'ip_data', 'certificate', 'site_violation'],
  data_export: ['task'],
  ip_data: ['task'],
  setting: ['site'],
  domain_name_blacklist: ['site_violation', 'task'],
  site_violation: ['domain_name_blacklist', 'site', 'task'],
};
/** Every change is told there. */
const alwaysTold: readonly Subject[] = ['activity', 'operation_log'];

/** What a call reads or, of a call that changes, what it is that it changes. */
export function subjectsOf(name: RouteName, access: Access): readonly Subject[] {
  const said = told[name];
  if (said) return said;
  if ('permission' in access) return [access.permission.split('.')[0] as Subject];
  return access.kind === 'signed_in' ? ['account'] : [];
}

/** What shows something else once a call has changed what it is about. */
export function touchedBy(name: RouteName, access: Access): ReadonlySet<Subject> {
  const changed = subjectsOf(name, access);
  const touched = changed.flatMap((subject) => [subject, ...(shownIn[subject] ?? []), ...alwaysTold]);
  return new Set(touched);
}
