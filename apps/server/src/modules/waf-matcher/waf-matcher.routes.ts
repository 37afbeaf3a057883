import { wafMatcherRoutes } from '@breakwater/contract';
import { and, asc, eq } from 'drizzle-orm';
import { crud } from '../../crud.ts';
import { contains } from '../../db/page.ts';
import { wafMatcher } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';

export const wafMatcherModule = implement(wafMatcherRoutes, {
  ...crud(wafMatcherRoutes, 'WafMatcher', 'WafMatchers', {
    table: wafMatcher,
    subject: 'waf_matcher',
    orderBy: [asc(wafMatcher.name)],
    filter: ({ name, class_type }) =>
      and(contains(wafMatcher.name, name), class_type ? eq(wafMatcher.classType, class_type) : undefined),
    constraints: { waf_matcher_client_name_unique: ['name', 'name_taken'] },
  }),
});
