import { banNameOf } from '@breakwater/policy/protect/bans';
import { nameOfMatcher, type PreparedMatcher } from '@breakwater/policy/protect/matchers';
import { encodeJson } from '../lib/json.ts';
import { noteReport, takeReports } from '../lib/reports.ts';

/** What rules do that reaches beyond this node: the agent asks for it and tells the control plane. */
const acts = ngx.shared.edge_rule_acts;
/** What was told a moment ago. The oldest make room. */
const marks = ngx.shared.edge_rule_marks;

/** Told again while the visitor goes on, so that the address does not leave the list meanwhile. */
const againSecondsMax = 600;

export function noteAct(matcher: PreparedMatcher): void {
  const { rule, level, identity } = matcher;
  const variables = ngx.var;
  const address = banNameOf(variables.client_addr!);
  if (address === undefined) return;
  const siteId = variables.site_id!;
  const isList = rule.action === 'list';
  const seconds = isList ? rule.list.seconds : rule.notify.minutes * 60;
  const again = isList ? math.min(seconds / 2, againSecondsMax) : seconds;
  const who = isList ? ` ${rule.list.list_id} ${address}` : '';
  if (!marks.add(`${siteId} ${level} ${identity}${who}`, 1, again)[0]) return;
  noteReport(
    acts,
    encodeJson({
      action: rule.action,
      site_id: tonumber(siteId),
      rule: nameOfMatcher(matcher),
      identity,
      note: rule.note,
      address,
      request_id: variables.edge_request_id!,
      seconds,
      list_id: isList ? rule.list.list_id : undefined,
      at: ngx.time(),
    }),
  );
}

export function takeActs(told: number, max: number): { acts: string; last: number } {
  const { lines, last } = takeReports(acts, told, max);
  return { acts: lines, last };
}
