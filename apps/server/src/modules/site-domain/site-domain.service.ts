/** What other modules may ask of domains and their DNS. */

export { cnameOf } from './dns-check.ts';
export { runDueChecks } from './domain-check.ts';
