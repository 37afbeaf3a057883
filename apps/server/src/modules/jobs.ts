import { pruneCallbacks } from '../callbacks/callback.ts';
import { pruneNonces } from '../delivery/node-signature.ts';
import type { JobRegistry, Schedule } from '../jobs/define-job.ts';
import { dueWorkConsumer } from '../jobs/due-work.consumer.ts';
import { runSoon } from '../jobs/schedule-run.ts';
import { pruneAccountUsage } from '../limits/account-limits.ts';
import { resealValues } from '../keys/reseal.ts';
import { pruneAttempts } from './account/attempt.store.ts';
import { pruneChallenges } from './account/passkey-challenge.ts';
import { pruneSessions } from './account/session.store.ts';
import { refreshDueLists } from './address-list/address-list-fetch.ts';
import { makeDueLists } from './address-list/rule-entries.ts';
import { tellOfEndings } from './certificate/certificate.service.ts';
import { certificateOrderJob } from './certificate-order/certificate-order.job.ts';
import { runDueOrders } from './certificate-order/certificate-order.service.ts';
import { runAutomaticOrders } from './certificate-order/automatic-sites.ts';
import { followSites } from './certificate-order/order-sites.ts';
import { blacklistScanJob } from './domain-name-blacklist/blacklist-scan.job.ts';
import { dataExportJob } from './data-export/data-export.job.ts';
import { removeOldDataExports } from './data-export/data-export.store.ts';
import { pruneFloods } from './flood/flood.store.ts';
import { runFilings } from './filing/filing.service.ts';
import { pruneIdempotencyKeys } from './idempotency/idempotency.service.ts';
import { refreshIpData } from './ip-data/ip-data.service.ts';
import { refreshKnownVulnerabilities } from './known-vulnerability/known-vulnerability.service.ts';
import { refreshDueFiles } from './ip-data/ip-source.service.ts';
import { pruneNodeResources } from './node/node-resource.store.ts';
import { pruneOriginHealth } from './origin-health/origin-health.service.ts';
import { pruneOldRows } from './retention/retention.service.ts';
import { runServedChecks } from './served-certificate/served-certificate.service.ts';
import { pruneRuleNotices } from './rule-act/rule-act.service.ts';
import { readLogRetention } from './setting/setting.store.ts';
import { settleGuard } from './site-guard/site-guard.service.ts';
import { siteBatchJob } from './site-batch/site-batch.job.ts';
import { sitePrefetchJob } from './site-prefetch/site-prefetch.job.ts';
import { patternRefreshJob } from './site-refresh/pattern-refresh.job.ts';
import { settleRefreshes } from './site-refresh/site-refresh.service.ts';
import { compactBans, keepBanSetting } from './site-reject/site-reject.service.ts';
import { tellOfAttacks } from './site-attack/site-attack.service.ts';
import { runDueChecks } from './site-domain/site-domain.service.ts';
import { refreshDocuments } from './site-publish/site-publish.service.ts';
import { visitSites } from './site-violation/site-visit.service.ts';
import { orderMoveJob } from './site/order-move.job.ts';
import { finishRemovals, settleSuspensions } from './site/site.service.ts';
import { taskRemovalJob } from './task/task-removal.job.ts';

const minute = 60;
const hour = 3600;

/** Work by the clock. */
const schedules: readonly Schedule[] = [
  {
    name: 'log-retention',
    everySeconds: 10 * minute,
    run: async ({ db, logStore }) => logStore.applyRetention(await readLogRetention(db), new Date()),
  },
  { name: 'log-sums', everySeconds: minute, run: ({ logStore }) => logStore.sumUp(new Date()) },
  { name: 'node-nonces', everySeconds: minute, run: ({ db }) => pruneNonces(db) },
  { name: 'node-resources', everySeconds: hour, run: ({ db }) => pruneNodeResources(db, new Date()) },
  { name: 'floods', everySeconds: hour, run: ({ db }) => pruneFloods(db, new Date()) },
  { name: 'site-guard', everySeconds: minute, run: ({ db }) => settleGuard(db) },
  { name: 'origin-health', everySeconds: hour, run: ({ db }) => pruneOriginHealth(db) },
  {
    name: 'site-suspensions',
    everySeconds: minute,
    after: ['client.updated', 'client.status_changed'],
    run: (services) => settleSuspensions(services),
  },
  {
    name: 'site-removals',
    everySeconds: minute,
    run: ({ db }) => db.transaction((tx) => finishRemovals(tx)),
  },
  { name: 'address-lists', everySeconds: minute, after: ['address_list.updated'], run: refreshDueLists },
  { name: 'rule-lists', everySeconds: 5, run: makeDueLists },
  { name: 'rule-notices', everySeconds: hour, run: ({ db }) => pruneRuleNotices(db) },
  { name: 'ip-data', everySeconds: 10 * minute, run: refreshIpData },
  {
    name: 'known-vulnerabilities',
    everySeconds: 5 * minute,
    after: ['setting.updated'],
    run: refreshKnownVulnerabilities,
    timeoutSeconds: 120,
  },
  { name: 'ip-files', everySeconds: 5 * minute, run: refreshDueFiles },
  { name: 'site-refreshes', everySeconds: minute, run: ({ db }) => settleRefreshes(db) },
  {
    name: 'site-rejects',
    everySeconds: minute,
    after: ['address_list.updated', 'address_list.refreshed', 'node.addresses_changed'],
    run: async ({ db }) => {
      await keepBanSetting(db);
      return compactBans(db);
    },
  },
  { name: 'attack-notices', everySeconds: minute, run: (services) => tellOfAttacks(services) },
  { name: 'served-certificates', everySeconds: 10, run: runServedChecks },
  { name: 'certificate-endings', everySeconds: 5 * minute, run: tellOfEndings },
  { name: 'site-documents', everySeconds: minute, run: refreshDocuments },
  {
    name: 'domain-checks',
    everySeconds: minute,
    after: ['site.created', 'site.domains_changed', 'site.imported', 'site.rolled_back'],
    run: runDueChecks,
  },
  {
    name: 'certificate-orders',
    everySeconds: minute,
    after: ['certificate_order.created', 'certificate_order.issued', 'certificate_order.issuance_failed'],
    run: runDueOrders,
  },
  {
    name: 'certificate-sites',
    everySeconds: 5 * minute,
    after: [
      'site.created',
      'site.domains_changed',
      'site.domain_granted',
      'site.section_changed',
      'site.status_changed',
      'site.imported',
      'site.rolled_back',
      'site_level.section_changed',
      'site_level.rolled_back',
      'acme_account.created',
      'acme_account.updated',
    ],
    run: async (services, signal) => {
      const followed = await followSites(services);
      const planned = await runAutomaticOrders(services, signal);
      if (followed + planned > 0) await runSoon(services.db, ['certificate-orders']);
      return { followed, planned };
    },
  },
  { name: 'data-exports', everySeconds: hour, run: ({ db }) => removeOldDataExports(db, new Date()) },
  {
    name: 'site-visits',
    everySeconds: minute,
    after: ['setting.updated'],
    run: visitSites,
    timeoutSeconds: 180,
  },
  {
    name: 'filings',
    everySeconds: minute,
    after: [
      'filing.created',
      'filing.updated',
      'filing.removed',
      'filing.filing_decided',
      'line_group.updated',
      'setting.updated',
    ],
    run: (services) => runFilings(services),
  },
  { name: 'retention', everySeconds: 10 * minute, run: (services) => pruneOldRows(services) },
  { name: 'seal-values', everySeconds: minute, run: (services) => resealValues(services) },
  { name: 'idempotency-keys', everySeconds: hour, run: ({ db }) => pruneIdempotencyKeys(db) },
  { name: 'callbacks', everySeconds: hour, run: ({ db }) => pruneCallbacks(db) },
  {
    name: 'account-sessions',
    everySeconds: hour,
    run: ({ db }) => Promise.all([pruneSessions(db), pruneChallenges(db)]),
  },
  {
    name: 'sign-in-attempts',
    everySeconds: 15 * minute,
    run: ({ db }) => Promise.all([pruneAttempts(db), pruneAccountUsage(db)]),
  },
];

/** Everything that servers with the role of a worker do: what requests leave to them, and what follows from events besides. */
export const jobRegistry: JobRegistry = {
  jobs: [
    siteBatchJob,
    orderMoveJob,
    dataExportJob,
    taskRemovalJob,
    certificateOrderJob,
    sitePrefetchJob,
    patternRefreshJob,
    blacklistScanJob,
  ],
  schedules,
  consumers: [dueWorkConsumer(schedules)],
};
