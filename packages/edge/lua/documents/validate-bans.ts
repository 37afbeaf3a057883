import type { BanDocument, BanSettingDocument } from '@breakwater/contract/edge-document';
import { banNames } from '@breakwater/policy/protect/bans';
import { fieldProblem, optionalProblem } from './field-problem.ts';

export function banProblem(document: Partial<BanDocument>): string | undefined {
  const problem = fieldProblem('ban', document, { segment_id: 'number', bans: 'table' });
  if (problem !== undefined) return problem;
  const bans = document.bans!;
  for (let index = 0; index < bans.length; index++) {
    const place = `ban.bans.${index}`;
    const bad =
      fieldProblem(place, bans[index], { id: 'number', address: 'string', until: 'number' }) ??
      optionalProblem(place, bans[index], { site_id: 'number', client_id: 'number', kernel: 'boolean' });
    if (bad !== undefined) return bad;
    if (!isKnownName(bans[index]!.address)) return `${place}.address is nothing that is looked up`;
  }
  return undefined;
}

/** It would be kept, and nobody would ever be found under it. */
function isKnownName(name: string): boolean {
  const [address] = string.match(name, '^[^/]+');
  for (const known of banNames(address ?? '')) if (known === name) return true;
  return false;
}

export function banSettingProblem(document: Partial<BanSettingDocument>): string | undefined {
  const problem = fieldProblem('ban_setting', document, {
    never: 'table',
    never_robots: 'boolean',
    never_private: 'boolean',
    objection: 'string',
  });
  if (problem !== undefined) return problem;
  const sets = document.never!;
  for (let index = 0; index < sets.length; index++) {
    const place = `ban_setting.never.${index}`;
    const bad = fieldProblem(place, sets[index], { v4: 'string', v6: 'string' });
    if (bad !== undefined) return bad;
    const { v4, v6 } = sets[index]!;
    const isRead = ngx.decode_base64(v4) !== undefined && ngx.decode_base64(v6) !== undefined;
    if (!isRead) return `${place} is no base64`;
  }
  return undefined;
}
