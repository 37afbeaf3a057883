import type { EffectiveSite, LevelDocument, SiteDocument } from '@breakwater/contract/edge-document';
import type { ExplainedRequest, TraceStep } from '@breakwater/contract/explain';
import type { RequestStep, StepFactName, StepOutcome, StepReason } from '@breakwater/contract/request-steps';
import type { PreparedAccess } from '../access/access.ts';
import { prepareMatchers, type PreparedMatchers } from '../protect/matchers.ts';
import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import type { HmacHex } from '../access/basic-auth.ts';
import type { AddressLookups } from '../conditions/address-fact.ts';
import type { UrlSigning } from '@breakwater/contract/site-config/url-signing';
import type { PreparedRule } from '../cache/rule.ts';
import {
  evaluateCondition,
  type Facts,
  type PreparedCondition,
  type TryRegex,
  type Verdict,
} from '../conditions/condition.ts';
import { layerOfField, mergeSite, type Layer } from '../site/levels.ts';
import { factsOf, type DescribedRequest } from '../conditions/request-facts.ts';
import type { FindRegex } from '../rewrite/match.ts';
import type { RewriteRequest } from '../rewrite/template.ts';
import type { PreparedKnown } from '../detect/known-rules.ts';
import { checkSignature, type Md5Hex, type SignatureVerdict } from '../access/url-signature.ts';

/** What a trace is made of while a request is followed through the steps. */

/** A site as whoever explains has it. */
export interface ExplainedSite {
  document: EffectiveSite;
  /** The domain by which the host was found. */
  domain: string;
  /** What the site and its levels say, the nearest first, with their names. */
  layers: Layer[];
  layerNames: NonNullable<TraceStep['level']>[];
  access: PreparedAccess | undefined;
  matchers: PreparedMatchers | undefined;
  /** Rules for known vulnerabilities, for the caller to add. */
  known?: PreparedKnown | undefined;
}

/** `levels`: those that the site inherits from, the nearest first. Who may come in is for the caller to add. */
export function explainedSiteOf(own: SiteDocument, levels: LevelDocument[], domain: string): ExplainedSite {
  const layers: Layer[] = [own as unknown as Layer];
  const layerNames: ExplainedSite['layerNames'] = ['site'];
  for (const level of levels) {
    layers.push(level as unknown as Layer);
    layerNames.push(level.level);
  }
  const document = mergeSite(own, levels);
  const matchers = prepareMatchers(document);
  return { document, domain, layers, layerNames, access: undefined, matchers };
}

export interface LiveServer {
  address: string;
  isDown: boolean;
}

/** What the key of an answer is made of, besides the site. */
export interface KeyParts {
  scheme: string;
  host: string;
  target: string;
  rule: PreparedRule | undefined;
  variant: string;
}

/** The engines of whoever explains, and what only a node knows. */
export interface ExplainTools {
  find: FindRegex;
  tryRegex: TryRegex;
  lookups: AddressLookups;
  md5Hex: Md5Hex;
  hmacHex: HmacHex;
  /** The addresses that the origins have now. */
  servers?: (this: void) => LiveServer[];
  /** How often what is stored of a target was declared out of date. */
  generation?: (this: void, parts: KeyParts) => number;
  /** What lies in the cache under a key; nothing where that cannot be told. */
  stored?: (this: void, parts: KeyParts, decide: DecideCondition) => StoredNow | undefined;
  /** The ban that stands against an address here, if one does. */
  ban?: (this: void, address: string) => BanNow | undefined;
  /** The name of the node that is asked; absent: none is. */
  node?: string;
  /** How much of a limit is used up for this visitor. */
  used?: (this: void, limit: CountedLimit, address: string) => LimitNow | undefined;
}

/** How conditions of rewriting are decided, on which keys depend: 1 yes, 0 no, -1 not decided. */
export type DecideCondition = (this: void, condition: PreparedCondition) => number;

export interface StoredNow {
  state: 'none' | 'fresh' | 'stale';
  /** Seconds; below 0 where its time is over. */
  ageSeconds: number;
  freshSeconds: number;
  status: number;
  /** Empty: it is given to all. */
  vary: string;
}

export interface BanNow {
  /** 0: made by the node, and not yet known to the control plane. */
  id: number;
  /** Seconds since 1970. */
  until: number;
  /** No ban is for this visitor. */
  isNever: boolean;
}

export type CountedLimit = 'rate' | 'rate_per_address' | 'connections' | 'connections_per_address';
export interface LimitNow {
  used: number;
  max: number;
  /** Whole seconds until the next request gets through; 0: at once. */
  waitSeconds: number;
}

export interface Trace {
  site: ExplainedSite;
  request: ExplainedRequest;
  tools: ExplainTools;
  steps: TraceStep[];
  isStopped: boolean;
  /** A rule lets it past all of protection that follows. */
  passesProtection?: boolean;
  /** A rule wants the visitor's browser to have passed this. */
  challengeWanted?: VerifyKind;
  /** The visitor's address, once it is known. */
  address: string;
  /** What the cache and the origin are asked for. */
  target: string;
  rule: PreparedRule | undefined;
  /** What the key was made of; absent before. */
  keyParts: KeyParts | undefined;
  /** The request is neither answered from the cache nor is its answer stored. */
  isBypass: boolean;
}

export type Fact = TraceStep['facts'][number];

/** Some rules name more than anybody reads. */
const valueBytesMax = 8000;

export function fact(name: StepFactName, value: string | number): Fact {
  return { name, value: `${value}`.substring(0, valueBytesMax) };
}

/** Known to a node only, at this moment. */
export function liveFact(name: StepFactName, value: string | number): Fact {
  const known = fact(name, value);
  known.live = true;
  return known;
}

export function addStep(
  trace: Trace,
  step: RequestStep,
  outcome: StepOutcome,
  reason?: StepReason,
  facts: Fact[] = [],
): TraceStep {
  const added: TraceStep = { step, outcome, facts };
  if (reason !== undefined) added.reason = reason;
  trace.steps.push(added);
  if (outcome === 'stopped') trace.isStopped = true;
  return added;
}

/** Who says what a field of a section is. */
export function noteLevel(step: TraceStep, { site }: Trace, section: string, field: string): void {
  const index = layerOfField(section, field, site.layers);
  step.level = index < 0 ? 'default' : site.layerNames[index]!;
}

/** What conditions ask of the request. */
export const requestFacts = (trace: Trace): Facts => factsOf(describedRequest(trace), trace.tools.lookups);

export function describedRequest({ request, address }: Trace): DescribedRequest {
  const { method, scheme, host, port, target, headers, time } = request;
  return {
    method,
    scheme,
    host,
    target,
    headers,
    ip: address,
    socketIp: request.address,
    serverPort: port,
    protocol: 'HTTP/1.1',
    time,
    ...(scheme === 'https' ? { sni: host, tlsVersion: 'TLSv1.3' } : {}),
    ...ja4Of(request),
  };
}

/** What is described has none where none is named; of a request in the log that is not known. */
function ja4Of({ ja4, client_address: logged }: Trace['request']): { ja4?: string } {
  if (ja4 !== undefined) return { ja4 };
  return logged === undefined ? { ja4: '' } : {};
}

/** Whether the request suits a rule's condition. What cannot be decided does where `undecided` says so. */
export function suits(trace: Trace, condition: PreparedCondition | undefined, undecided = false): boolean {
  if (condition === undefined) return true;
  const verdict = verdictOn(trace, condition);
  return verdict === 1 || (verdict === -1 && undecided);
}

export function verdictOn(trace: Trace, condition: PreparedCondition): Verdict {
  const asked = { facts: requestFacts(trace), tryRegex: trace.tools.tryRegex, decidedBy: 0 };
  return evaluateCondition(condition, asked);
}

/** What templates of rewriting are filled with. The request has no id yet. */
export function rewriteRequest({ request, address }: Trace, target: string): RewriteRequest {
  const { scheme, host, port, method } = request;
  return { scheme, host, port: `${port}`, target, method, clientIp: address, requestId: '' };
}

/** Of the signature in a link, where the site's links are signed. */
export function signatureOf({ site, request, tools }: Trace): SignatureVerdict | undefined {
  // Documents from before links could be signed say nothing of it.
  const settings = site.document.access_control?.signing as UrlSigning | undefined;
  if (settings === undefined || !settings.enabled) return undefined;
  return checkSignature(settings, request.target, request.time, tools.md5Hex);
}

/** The lines of a field, in their order. */
export function linesOf({ headers }: ExplainedRequest, name: string): string[] {
  const lines: string[] = [];
  for (const line of headers) if (line.name.toLowerCase() === name) lines.push(line.value);
  return lines;
}
