import type { IssueMessage } from '@breakwater/contract';
import { setTimeout as wait } from 'node:timers/promises';
import type * as z from 'zod';
import { callHttp, retryAtOf, type HttpAnswer, type HttpCall } from './call-http.ts';
import { ProviderProblem } from './define-provider.ts';
import type { Reach } from './reach.ts';

/** An HTTP API as its vendor documents it. */
export interface Vendor {
  reach: Reach;
  /** What the calls are signed with: no vendor's words pass it on. */
  secrets: readonly string[];
  /** What an answer says went wrong, with the vendor's code of it; undefined: nothing did. */
  fault(answer: VendorAnswer): { code: string; message?: string | undefined } | undefined;
  /** What a code means. A code with dots means what its beginning does, if it is not there itself. */
  issues: Readonly<Record<string, IssueMessage>>;
}
export interface VendorAnswer extends HttpAnswer {
  /** Undefined where the answer is none. */
  json: unknown;
}

const attemptsMax = 4;
const pauseSecondsMax = 20;
const detailMax = 200;

/**
 * Asks a vendor. A call that the vendor did not do because of its limits is made again, after the time that it names or else
 * ever longer; so is a read that failed within the vendor. `sign` is asked for each attempt: signatures hold their time.
 */
export async function callVendor(vendor: Vendor, sign: () => HttpCall): Promise<VendorAnswer> {
  for (let attempt = 1; ; attempt++) {
    const call = sign();
    const http = await callHttp(vendor.reach, call);
    const answer = { ...http, json: parsed(http.text) };
    const problem = problemOf(vendor, answer);
    if (!problem) return answer;
    const { issue } = problem;
    const mayRepeat = issue === 'provider_limited' || (issue === 'provider_down' && call.method === 'GET');
    const now = Date.now();
    const asked = retryAtOf(http.headers['retry-after'], now);
    const seconds = asked ? (asked.getTime() - now) / 1000 : 2 ** attempt * (0.2 + Math.random() * 0.1);
    if (!mayRepeat || attempt === attemptsMax || seconds > pauseSecondsMax) throw problem;
    await wait(seconds * 1000);
  }
}

/** The same for a call whose key stands in a header as it is: JSON there, if there is a body, and back. */
export async function callJson(
  vendor: Vendor,
  { body, headers, ...call }: Omit<HttpCall, 'body'> & { body?: unknown },
): Promise<unknown> {
  const { json } = await callVendor(vendor, () =>
    body === undefined
      ? { ...call, headers }
      : {
          ...call,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
  );
  return json;
}

function problemOf(vendor: Vendor, answer: VendorAnswer): ProviderProblem | undefined {
  const { status } = answer;
  const fault = vendor.fault(answer) ?? (status >= 200 && status < 300 ? undefined : { code: '' });
  if (!fault) return undefined;
  const issue = issueOf(fault.code, vendor.issues) ?? issueOfStatus(status);
  const said = [fault.code, fault.message].filter((part) => part !== undefined && part !== '').join(': ');
  // A key that is wrong is told of in ways that vary; its code is enough.
  const detail = issue === 'provider_key' ? fault.code : said;
  return new ProviderProblem(issue, masked(detail, vendor.secrets));
}

function issueOf(code: string, issues: Vendor['issues']): IssueMessage | undefined {
  for (let part = code; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('.'))))
    if (Object.hasOwn(issues, part)) return issues[part];
  return undefined;
}

function issueOfStatus(status: number): IssueMessage {
  if (status === 401) return 'provider_key';
  if (status === 403) return 'provider_forbidden';
  if (status === 429) return 'provider_limited';
  if (status >= 500) return 'provider_down';
  // What is said with a status of success, or with one of the client's mistakes, is a refusal.
  return status < 300 || status >= 400 ? 'provider_refused' : `provider_status:${status}`;
}

const masked = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    .slice(0, detailMax);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an answer must look like; fails with `provider_answer`. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const result = schema.safeParse(json);
  if (!result.success) throw new ProviderProblem('provider_answer');
  return result.data;
}

/** The pages of a list, until `isLast`; each is asked for by its number, from one on, or by how many came before it. */
export async function allPages<Item>(
  page: (number: number, before: number) => Promise<{ items: readonly Item[]; isLast: boolean }>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let number = 1; number <= pagesMax; number++) {
    const { items, isLast } = await page(number, found.length);
    found.push(...items);
    if (isLast || items.length === 0) return found;
  }
  // A vendor that always has another page would keep us for ever.
  throw new ProviderProblem('provider_answer');
}
const pagesMax = 1000;
