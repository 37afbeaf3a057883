/** What other modules may ask of domains and their DNS. */

export { checkDomain, cnameOf, plainIpv6 } from './dns-check.ts';
export { readExpected, runDueChecks } from './domain-check.ts';
