/** What other modules may ask of domains and their DNS. */

export { checkDomain, cnameOf } from './dns-check.ts';
export { readExpected, runDueChecks } from './domain-check.ts';
