import type { LevelDocument, SiteDocument } from '@breakwater/contract/edge-document';
import type { ExplainedRequest, TraceStep } from '@breakwater/contract/explain';
import { prepareAccess } from '../access/access.ts';
import type { MatchRegex } from '../cache/rule.ts';
import { explain } from '../explain/explain.ts';
import { findByHost } from '../http/host.ts';
import { explainedSiteOf } from '../explain/trace.ts';
import type { FindRegex } from '../rewrite/match.ts';
import type { Digests } from '../origin/sigv4.ts';

interface ExplainCase {
  site: SiteDocument;
  levels?: LevelDocument[];
  request: Partial<ExplainedRequest>;
  /** Names of the steps that are compared; none: their outcomes alone. */
  steps?: string[];
}

/** Traces as one line of text for each step that is of concern, or the outcomes of all. */
export function runExplainVector(
  input: Record<string, unknown>,
  matchRegex: MatchRegex,
  find: FindRegex,
  digests: Digests,
): unknown {
  const { site, levels = [], request, steps: wanted = [] } = input as unknown as ExplainCase;
  const complete: ExplainedRequest = {
    method: 'GET',
    scheme: 'http',
    host: 'www.example.com',
    port: 80,
    target: '/',
    headers: [],
    address: '198.51.100.7',
    time: 1_800_000_000,
    ...request,
  };
  const domain = findByHost(complete.host, (name) => {
    for (const each of site.domains) if (each === name) return each;
    return undefined;
  });
  const explained = domain === undefined ? undefined : explainedSiteOf(site, levels, domain);
  if (explained !== undefined) explained.access = prepareAccess(explained.document);
  const steps = explain(complete, explained, {
    find,
    tryRegex: matchRegex,
    md5Hex: digests.md5Hex,
    hmacHex: (key, text) => digests.toHex(digests.hmac(key, text)),
    lookups: { isListed: () => false, placeOf: () => undefined },
  });
  return wanted.length === 0 ? { trace: outcomesOf(steps) } : { trace: textOf(steps, wanted) };
}

/** Steps that most sites have nothing of: told where they do something. */
const ofProtection: Record<string, boolean> = {
  bans: true,
  matchers: true,
  cc_guard: true,
  browser_verification: true,
  system_rules: true,
};

function outcomesOf(steps: TraceStep[]): string {
  const parts: string[] = [];
  for (const { step, outcome } of steps)
    if (ofProtection[step] !== true || outcome === 'stopped' || outcome === 'changed')
      parts.push(`${step}=${outcome}`);
  return parts.join(' ');
}

function textOf(steps: TraceStep[], wanted: string[]): string[] {
  const lines: string[] = [];
  for (const { step, outcome, reason, level, facts } of steps) {
    let isWanted = false;
    for (const name of wanted) if (name === step) isWanted = true;
    if (!isWanted) continue;
    const parts = [step, outcome, reason ?? '-', level ?? '-'];
    for (const { name, value } of facts) parts.push(`${name}=${value}`);
    lines.push(parts.join(' '));
  }
  return lines;
}
