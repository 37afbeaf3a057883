import { filingRoutes, filingSettings } from '@breakwater/contract';
import { and, asc, eq, sql } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import { crud, type Change } from '../../crud.ts';
import type { Transaction } from '../../db/database.ts';
import { contains, containsDomain } from '../../db/page.ts';
import { filing } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import { reads, writes } from '../setting/setting.service.ts';
import { readFilingSetting } from '../setting/setting.store.ts';
import { checkFiling } from './filing-check.ts';
import { checkRegistrable, decideFiling, listUnfiledDomains } from './filing.store.ts';

type Row = typeof filing.$inferSelect;
/** One customer has so many. */
const filingsMax = 2000;

const plain = crud(filingRoutes, 'Filing', 'Filings', {
  table: filing,
  subject: 'filing',
  orderBy: [asc(filing.name), asc(filing.id)],
  filter: ({ name, number, state, client_id: clientId }) =>
    and(
      containsDomain(filing.name, name),
      contains(filing.number, number),
      state && eq(filing.state, state),
      clientId ? eq(filing.clientId, clientId) : undefined,
    ),
  constraints: { filing_client_name_unique: ['name', 'name_taken'] },
  most: filingsMax,
  fields: {
    domain_count: sql<number>`(SELECT count(*)::int FROM site_domain d JOIN site s ON s.id = d.site_id
      WHERE s.client_id = ${filing.clientId} AND s.removed_at IS NULL AND d.lineage @> ARRAY[${filing.name}])`,
  },
  follow,
});

/** What was found out is of the number as it was. */
async function follow(tx: Transaction, { before, after }: Change<Row>) {
  if (!before || !after || (before.name === after.name && before.number === after.number)) return;
  await tx
    .update(filing)
    .set({
      state: 'pending',
      reason: 'none',
      holder: '',
      foundNumber: '',
      note: '',
      decidedBy: '',
      decidedAt: null,
      checkedAt: null,
      lastError: '',
      nextCheckAt: new Date(),
    })
    .where(eq(filing.id, after.id));
}

/** Which operator it was is no business of customers, nor how the provider is reached. */
const hidden = { decided_by: '', last_error: '' };

export const filingModule = implement(filingRoutes, {
  ...plain,
  listFilings: async (context) => {
    const page = await plain.listFilings(context);
    if (context.session.kind === 'admin') return page;
    return { ...page, list: page.list.map((row) => ({ ...row, ...hidden })) };
  },
  getFiling: async (context) => {
    const row = await plain.getFiling(context);
    return context.session.kind === 'admin' ? row : { ...row, ...hidden };
  },
  createFiling: (context) => {
    checkRegistrable(context.body.name);
    return plain.createFiling(context);
  },
  updateFiling: (context) => {
    checkRegistrable(context.body.name);
    return plain.updateFiling(context);
  },
  listUnfiledDomains: ({ services, scope, query }) => listUnfiledDomains(services.db, scope, query),
  decideFiling: async ({ services, session, scope, params, body }) => {
    await decideFiling(services.db, session, scope, params.id, body);
    return {};
  },
  checkFiling: ({ services, session, scope, params, language }) =>
    checkFiling(services, { session, scope }, params.id, language),
  getFilingSetting: reads(filingSettings),
  updateFilingSetting: async (context) => {
    const { provider, url, secret = '', secret_set: isKept = true } = context.body.value;
    if (provider !== 'manual' && secret === '') {
      // A secret that is kept would sign for whom it was not entered for.
      const before = await readFilingSetting(context.services.db);
      const has = isKept && (before.secret ?? '') !== '';
      if (!has || before.url !== url)
        throw new ApiError('invalid_input', [
          { path: 'value.secret', issue: has ? 'secret_again' : 'required' },
        ]);
    }
    return writes(filingSettings)(context);
  },
});
