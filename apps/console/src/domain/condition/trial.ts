import type { Condition, ConditionGroup, ConditionLeaf } from '@breakwater/contract';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { toByteString } from '@breakwater/policy/lib/bytes';
import {
  evaluateCondition,
  prepareCondition,
  unaskedOutcomes,
  type Facts,
} from '@breakwater/policy/conditions/condition';
import { printCondition } from '@breakwater/policy/conditions/text';
import type { DescribedAnswer } from '@breakwater/policy/conditions/answer-facts';
import type { KnownAddress } from './condition-data.ts';
import { factsOf, type DescribedRequest } from '@breakwater/policy/conditions/request-facts';

/** A request as somebody describes it in the console. */
export interface TrialRequest {
  method: string;
  url: string;
  /** Lines of `Name: value`. */
  headers: string;
  /** What it carries; empty: nothing. */
  body?: string;
  ip: string;
  /** Empty: none. */
  ja4?: string;
  /** Of the answer; empty: it has none. */
  answerStatus?: string;
  answerCache?: string;
  answerOriginMs?: string;
  answerHeaders?: string;
  /** Seconds since 1970. */
  time: number;
}

export type Outcome = 'yes' | 'no' | 'unsure' | 'unasked';
export interface Trial {
  verdict: Outcome;
  tests: { text: string; outcome: Outcome; isDecider: boolean }[];
}

const outcomes: Record<number, Outcome> = { 1: 'yes', 0: 'no', [-1]: 'unsure' };

/** What a node would say; nothing where the URL is none. `known`: of the visitor's address, where that is asked for. */
export function tryCondition(
  condition: Condition,
  request: TrialRequest,
  known?: KnownAddress,
): Trial | undefined {
  const described = factsOfTrial(request, known);
  if (described === undefined) return undefined;
  // Of a list that is not known here nothing is said; a node that lacks it says that it names nobody.
  const facts: Facts = (field, name) =>
    field === 'address_list' ? numberOf(known?.lists[name]) : described(field, name);
  const prepared = prepareCondition(conditionInBytes(condition));
  const asked = { facts, tryRegex: matchPattern, decidedBy: -1, outcomes: unaskedOutcomes(prepared) };
  const verdict = evaluateCondition(prepared, asked);
  const tests = leavesOf(condition).map((leaf, index) => ({
    text: printCondition({ match: 'all', negated: false, items: [leaf] }),
    outcome: outcomes[asked.outcomes[index]!] ?? 'unasked',
    isDecider: index === asked.decidedBy,
  }));
  return { verdict: outcomes[verdict]!, tests };
}

function numberOf(isListed: boolean | undefined): number | undefined {
  if (isListed === undefined) return undefined;
  return isListed ? 1 : 0;
}

export function factsOfTrial(request: TrialRequest, known?: KnownAddress) {
  const { method, url, headers, body = '', ip, ja4 = '', time } = request;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const scheme = parsed.protocol.slice(0, -1);
  // As it was typed: the platform's parser would tidy what a visitor can send untidied.
  const target = /^[^/]*\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? '';
  const lines = linesOf(headers);
  const described: DescribedRequest = {
    method: toByteString(method),
    scheme,
    host: parsed.hostname,
    target: toByteString(target.startsWith('/') ? target : `/${target}`),
    headers: lines,
    content: body === '' ? 'none' : { type: contentTypeOf(lines), body: toByteString(body) },
    ip: ip.trim(),
    ja4: toByteString(ja4.trim()),
    serverPort: parsed.port === '' ? (scheme === 'https' ? 443 : 80) : Number(parsed.port),
    protocol: scheme === 'https' ? 'HTTP/2.0' : 'HTTP/1.1',
    ...(scheme === 'https' ? { tlsVersion: 'TLSv1.3', sni: parsed.hostname } : {}),
    time,
    answer: answerOf(request),
  };
  return factsOf(described, {
    isListed: () => false,
    placeOf: () => known?.place,
    asnOf: () => known?.asn ?? undefined,
    robotOf: () => known?.robot,
  });
}

/** Absent where nothing is said of it. */
const given = <T>(name: keyof DescribedAnswer, text: string, value: T) =>
  text.trim() === '' ? {} : { [name]: value };

function answerOf({
  answerStatus = '',
  answerCache = '',
  answerOriginMs = '',
  answerHeaders = '',
}: TrialRequest): DescribedAnswer {
  return {
    ...given('status', answerStatus, Number(answerStatus)),
    ...given('cache', answerCache, answerCache),
    ...given('originMs', answerOriginMs, Number(answerOriginMs)),
    headers: linesOf(answerHeaders),
  };
}

function linesOf(headers: string): DescribedRequest['headers'] {
  return headers.split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    if (colon <= 0) return [];
    return [
      {
        name: toByteString(line.slice(0, colon).trim()),
        value: toByteString(line.slice(colon + 1).trim()),
      },
    ];
  });
}

const contentTypeOf = (lines: DescribedRequest['headers']): string =>
  lines.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';

export const conditionInBytes = (condition: Condition): Condition => groupInBytes(condition) as Condition;

function groupInBytes(group: ConditionGroup): ConditionGroup {
  return {
    ...group,
    items: group.items.map((item) =>
      'items' in item
        ? groupInBytes(item)
        : {
            ...item,
            ...(item.name === undefined ? {} : { name: toByteString(item.name) }),
            values: item.values.map(toByteString),
          },
    ),
  };
}

function leavesOf(group: ConditionGroup): ConditionLeaf[] {
  return group.items.flatMap((item) => ('items' in item ? leavesOf(item) : [item]));
}
