/** What other modules may ask of the sections of sites. */

export { checkSnippet } from './advanced-config.section.ts';
export { checkAutoAccounts, dnsAccountsOfLevel } from './certificate-settings.section.ts';
export { checkPortsIn, nodePorts } from './listen-port.section.ts';
export { checkOrigins } from './origin-server-config.section.ts';
export { compileOwn, compileSections, withNeeds } from './section-compile.ts';
export { keepOwn, ownIds, ownSection, parseSection, patchSection, putSection } from './section-value.ts';
export { checkSections, checkValues } from './site-check.ts';
export {
  holdsSecrets,
  keepSecrets,
  configDiff,
  maskDiff,
  openSecrets,
  presentSection,
  sealSection,
  withoutAnySecrets,
  withoutSecrets,
} from './site-secrets.ts';
export { checkUses, documentsUsedBy, supplyUses, usesOf } from './site-uses.ts';
