import type { CertificateSettings } from '@breakwater/contract';
import { and, eq, isNull, or, type SQL } from 'drizzle-orm';
import { invalid } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { acmeAccount, dnsAccount, order } from '../../db/schema.ts';
import { checkAuthorities } from '../certificate/certificate.service.ts';
import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const certificateSettingsSection = defineSection('certificate_settings', {
  ids: ['certificate_ids'],
  checkValue({ before, after, path }) {
    const { mode, ca } = after.client_certificate;
    if (mode !== 'off' && ca !== before.client_certificate.ca)
      checkAuthorities(ca, `${path}.client_certificate.ca`);
  },
  async check({ tx, site, before, after, path }) {
    const settings = [before.certificate_settings, after.certificate_settings] as const;
    await checkAutoAccounts(tx, settings, path, async () => {
      const [row] = await tx.select({ id: order.clientId }).from(order).where(eq(order.id, site.orderId));
      return eq(dnsAccount.clientId, row?.id ?? 0);
    });
  },
  uses: (value) => ({ ...askedByRules(value), certificates: value.certificate_ids }),
  // What the platform does by itself is no business of nodes.
  publishOwn(own) {
    const { auto_certificate: _on, auto_acme_account_id: _acme, auto_dns_account_id: _dns, ...told } = own;
    return Object.keys(told).length === 0 ? {} : { certificate_settings: told };
  },
  publish: ({ certificate_ids: ids }) => ({ certificate_settings: { certificate_ids: ids } }),
});

/** DNS accounts that a level may name: the platform's, and a customer's own for that customer. */
export const dnsAccountsOfLevel = (level: { level: string; target_id: number }): SQL =>
  level.level === 'client'
    ? or(isNull(dnsAccount.clientId), eq(dnsAccount.clientId, level.target_id))!
    : isNull(dnsAccount.clientId);

/** Refuses accounts that are not there, or are somebody else's, for certificates that sites get by themselves. */
export async function checkAutoAccounts(
  tx: Transaction,
  [before, after]: readonly [CertificateSettings, CertificateSettings],
  path: string,
  allowed: () => Promise<SQL>,
): Promise<void> {
  const { auto_acme_account_id: acmeId, auto_dns_account_id: dnsId } = after;
  if (acmeId !== null && acmeId !== before.auto_acme_account_id) {
    const found = await tx.$count(acmeAccount, eq(acmeAccount.id, acmeId));
    if (found === 0) throw invalid(`${path}.auto_acme_account_id`, 'does_not_exist');
  }
  if (dnsId !== null && dnsId !== before.auto_dns_account_id) {
    const found = await tx.$count(dnsAccount, and(eq(dnsAccount.id, dnsId), await allowed()));
    if (found === 0) throw invalid(`${path}.auto_dns_account_id`, 'does_not_exist');
  }
}
