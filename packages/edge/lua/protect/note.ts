import type { ProtectionAction } from '@breakwater/contract/site-config/protection';
import { partOfRequest, withEntries, withEntry, withPart, withTag } from '@breakwater/policy/protect/note';

/** What the log says of protection. It stands in variables, which outlive internal redirects. */

/** `rule`: `3`, `global 2`, or what a section calls its own; empty: the section has but one. `part`: what of the request fitted. */
export function noteProtection(section: string, rule: string, action: ProtectionAction, part?: string): void {
  const variables = ngx.var;
  variables.edge_waf = withEntry(variables.edge_waf!, section, rule, action);
  if (part !== undefined) variables.edge_waf_part = withPart(variables.edge_waf_part!, part);
}

/** What was noted of the request elsewhere. `decision` is empty where nothing was refused. */
export function noteAll(entries: string, decision: string, parts: string): void {
  const variables = ngx.var;
  variables.edge_waf = withEntries(variables.edge_waf!, entries);
  variables.edge_waf_part = withPart(variables.edge_waf_part!, parts);
  if (decision !== '') variables.edge_decision = decision;
}

/** For later rules and for the log. */
export function noteTag(tag: string): void {
  ngx.var.edge_waf_tags = withTag(ngx.var.edge_waf_tags!, tag);
}

/** The same with what the log calls its decision: the request does not reach the site. */
export function noteRefusal(section: string, rule: string, action: ProtectionAction, part?: string): void {
  noteProtection(section, rule, action, part);
  ngx.var.edge_decision = rule === '' ? section : `${section} ${rule}`;
}

export { partOfRequest };
