import { isPrivateAddress } from '@breakwater/policy/address/private-address';
import { eq } from 'drizzle-orm';
import { isIPv6 } from 'node:net';
import { nodeIp } from '../../db/schema.ts';
import { callHttp, type HttpAnswer } from '../../providers/call-http.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';
import type { NewStep } from './certificate-order.store.ts';
import type { Answer } from './http-challenge.ts';
import type { Try } from './order-try.ts';
import { platformResolver } from './preflight.ts';

/**
 * What the control plane gets for the answers of an order, asked as an authority asks (RFC 8555 §8.3): at each address of the name, once
 * all nodes have them. Told and decides nothing: a network may show its own addresses something else than the world, and a
 * redirect, which is not followed here, may lead to the answer.
 */

/** More than a person reads. */
const namesMax = 20;
const addressesMax = 4;
const linesMax = 10;
const atOnce = 8;
const charactersMax = 2000;
/** Room for another server's page, whose status tells more than that it is long. */
const limits = { secondsMax: 3, bytesMax: 512 * 1024 };

interface Look {
  answer: Answer;
  address: string;
}

export async function lookAtAnswers(
  { services }: Pick<Try, 'services'>,
  answers: readonly Answer[],
): Promise<NewStep[]> {
  const looks = await looksFor(services, answers.slice(0, namesMax));
  const port = services.config.acmeHttpPort;
  const found: { look: Look; seen: string | undefined }[] = [];
  for (let from = 0; from < looks.length; from += atOnce) {
    const some = looks.slice(from, from + atOnce);
    found.push(...(await Promise.all(some.map(async (look) => ({ look, seen: await seenAt(look, port) })))));
  }
  const right = found.flatMap(({ look, seen }) => (seen === undefined ? [look] : []));
  const names = right.map(({ answer, address }) => `${answer.name} (${address})`);
  const seen = names.join(', ').slice(0, charactersMax);
  const steps: NewStep[] = right.length === 0 ? [] : [{ kind: 'answer_seen', facts: { seen } }];
  for (const { look, seen: other } of found)
    if (other !== undefined && steps.length < linesMax)
      steps.push({
        kind: 'answer_unseen',
        detail: other,
        facts: { name: look.answer.name, address: look.address },
      });
  return steps;
}

/** At private addresses nodes alone are asked: a name is a customer's to point at anything behind the control plane. */
async function looksFor({ db, config }: Try['services'], answers: readonly Answer[]): Promise<Look[]> {
  const rows = await db.select({ ip: nodeIp.ip }).from(nodeIp).where(eq(nodeIp.enabled, true));
  const ours = new Set(rows.map(({ ip }) => ip));
  const mayAsk = (address: string) =>
    config.privateOrigins || !isPrivateAddress(address) || ours.has(address);
  const resolver = await platformResolver({ db });
  try {
    const looks = await Promise.all(
      answers.map(async (answer) => {
        const found = await Promise.all([
          resolver.resolve4(answer.name).catch(() => []),
          resolver.resolve6(answer.name).catch(() => []),
        ]);
        const addresses = found.flat().filter(mayAsk).slice(0, addressesMax);
        return addresses.map((address) => ({ answer, address }));
      }),
    );
    return looks.flat();
  } finally {
    resolver.cancel();
  }
}

/** Undefined for the right answer; else in a few words of HTTP or of the system. */
async function seenAt({ answer, address }: Look, port: number): Promise<string | undefined> {
  const url = `http://${answer.name}:${port}/.well-known/acme-challenge/${encodeURIComponent(answer.token)}`;
  const reach = async () => ({ address, family: isIPv6(address) ? (6 as const) : (4 as const) });
  try {
    const found = await callHttp(reach, { method: 'GET', url, headers: { accept: '*/*' } }, limits);
    const isRight = found.status === 200 && found.text.trimEnd() === answer.keyAuthorization;
    return isRight ? undefined : wordsOf(found);
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    if (error.detail !== '') return error.detail;
    return error.issue === 'provider_late' ? 'ETIMEDOUT' : 'EMSGSIZE';
  }
}

/** Whose answer it is, and not what it says: that may be meant for others. */
function wordsOf({ status, headers }: HttpAnswer): string {
  const server = headers['server'] === undefined ? '' : `, Server: ${String(headers['server'])}`;
  const location = headers.location === undefined ? '' : `, Location: ${headers.location}`;
  return `HTTP ${status}${location.slice(0, 300)}${server.slice(0, 100)}`;
}
