import { verdictOf } from '../front/facts.ts';
import { suitingPages } from '../pages/error-page.ts';
import type { Site } from '../site/site.ts';
import type { Counted, Limits } from '../site/limits.ts';

/**
 * What the fetch server is told of the visitor's request, which it does not see: the conditions that matter there are asked
 * before, of sites that have such. Two words: the rates that apply, of the address and of the site, and the error pages.
 */
export function tellFetchServer({ limits, errorPages }: Site): void {
  const { address, site } = limits === undefined ? allRates : appliedRates(limits);
  const pages = errorPages === undefined ? '-' : suitingPages(errorPages);
  ngx.var.edge_told = `${address ? 1 : 0}${site ? 1 : 0} ${pages}`;
}

export function isTold({ limits, errorPages }: Pick<Site, 'limits' | 'errorPages'>): boolean {
  const isCounted = limits !== undefined && !limits.countsHits;
  return (isCounted && limits.hasConditions) || errorPages?.isConditional === true;
}

/** Whether a request counts by address, and whether for the site. */
export interface AppliedRates {
  address: boolean;
  site: boolean;
}
const allRates: AppliedRates = { address: true, site: true };

/** Of the visitor's request. */
export function appliedRates({ rate, ratePerAddress, hasConditions }: Limits): AppliedRates {
  return hasConditions ? { address: counts(ratePerAddress), site: counts(rate) } : allRates;
}

/** What cannot be decided counts. */
function counts(counted: Counted | undefined): boolean {
  return counted?.condition === undefined || verdictOf(counted.condition) !== 0;
}

/** In the fetch server. */
export function ratesTold(): AppliedRates {
  const told = ngx.var.http_x_breakwater_told;
  if (told === undefined) return allRates;
  return { address: told.substring(0, 1) === '1', site: told.substring(1, 2) === '1' };
}

export function pagesTold(): string {
  return (ngx.var.http_x_breakwater_told ?? '').substring(3);
}
