import { eq } from 'drizzle-orm';
import { certificateOrder, type WrittenRecord } from '../../db/schema.ts';
import { keyAuthorization } from '../../providers/acme/acme-account.ts';
import {
  orderWords,
  readAuthorization,
  recordValue,
  startChallenge,
  type AcmeAuthorization,
  type AcmeOrder,
} from '../../providers/acme/acme-order.ts';
import type { DnsClient } from '../../providers/dns/dns-client.ts';
import type { AcmeAccess } from '../acme-account/acme-account.service.ts';
import { dnsClientOf } from '../dns-account/dns-account.service.ts';
import type { NewStep, OrderRow } from './certificate-order.store.ts';
import { placeRecords, removeRecords, unseenRecords, writeRecords } from './dns-challenge.ts';
import { answersByHost, nodesReady, publishAnswers, type Answer } from './http-challenge.ts';
import { lookAtAnswers } from './order-look.ts';
import { OrderProblem } from './order-problem.ts';
import { advance, assertNames, secondsUntil, waitedSeconds, type Try } from './order-try.ts';
import { platformResolver } from './preflight.ts';

/** From an order that is pending to one whose names are proven: answers go out, are seen, and only then the authority looks. */

/** Of an order's life; an authority that has not decided by then does not any more. */
const hoursMax = 2;
/** Until a record is seen. */
const recordSecondsMax = 1200;
/** Of a DNS host that answers with an error of its own, or not at all. */
const passingSecondsMax = 60;

export async function proveNames(attempt: Try, access: AcmeAccess, order: AcmeOrder): Promise<number> {
  const { row } = attempt;
  const found = await authorizationsOf(access, order, row.challenge);
  const bad = found.find(({ status }) => status !== 'pending' && status !== 'valid');
  if (bad || order.status === 'invalid') throw failure(found, bad, order);
  if (waitedSeconds(row) > hoursMax * 3600) throw new OrderProblem('order_expired');
  const pending = found.filter(({ status }) => status === 'pending');
  const without = pending.find(({ challenge }) => challenge === undefined);
  if (without) throw new OrderProblem('no_challenge', without.name);
  // All are proven: the authority is about to say so.
  if (pending.length === 0) return 1;
  switch (row.phase) {
    case 'ordered':
      return sendAnswers(attempt, access, pending);
    case 'sent':
      return row.challenge === 'http-01' ? awaitNodes(attempt) : awaitRecords(attempt);
    default:
      return letLook(attempt, access, order, pending);
  }
}

/** The authority's words on the first name that failed, else on the order. */
function failure(
  found: readonly AcmeAuthorization[],
  bad: AcmeAuthorization | undefined,
  order: AcmeOrder,
): OrderProblem {
  const said = found.filter(({ words }) => words !== '').map(({ name, words }) => `${name}: ${words}`);
  const words = said.length > 0 ? said.join(' · ') : orderWords(order);
  if (words === '' && bad?.status === 'expired') return new OrderProblem('order_expired', bad.name);
  const names = found.filter(({ status }) => status === 'invalid').map(({ name }) => name);
  return new OrderProblem('validation_failed', words === '' ? (bad?.name ?? '') : words, { names });
}

const atOnce = 8;

async function authorizationsOf(
  { session, signer }: AcmeAccess,
  { authorizations }: AcmeOrder,
  kind: OrderRow['challenge'],
): Promise<AcmeAuthorization[]> {
  const found: AcmeAuthorization[] = [];
  for (let from = 0; from < authorizations.length; from += atOnce) {
    const some = authorizations.slice(from, from + atOnce);
    found.push(...(await Promise.all(some.map((url) => readAuthorization(session, signer, { url, kind })))));
  }
  return found;
}

const answersOf = (
  access: Pick<AcmeAccess, 'signer'>,
  pending: readonly AcmeAuthorization[],
): Promise<Answer[]> =>
  Promise.all(
    pending.map(async ({ name, challenge }) => ({
      name,
      token: challenge!.token,
      keyAuthorization: await keyAuthorization(access.signer, challenge!.token),
    })),
  );

async function sendAnswers(
  attempt: Try,
  access: AcmeAccess,
  pending: readonly AcmeAuthorization[],
): Promise<number> {
  const { row } = attempt;
  const answers = await answersOf(access, pending);
  const names = [...new Set(pending.map(({ name }) => name))];
  if (row.challenge === 'dns-01') return writeInTime(attempt, answers);
  if (row.clientId === null) {
    await advance(attempt, { phase: 'live', answers: answersByHost(answers), waitingSince: new Date() }, [
      { kind: 'challenge_ready', facts: { names: names.join(', ') } },
    ]);
    return 0;
  }
  const sites = await assertNames(attempt);
  const groups = new Set(names.map((name) => sites.get(name)!.lineGroupId));
  await advance(
    attempt,
    { phase: 'sent', waitingSince: new Date() },
    [{ kind: 'challenge_sent', facts: { names: names.join(', ') } }],
    (tx) => publishAnswers(tx, row.id, answers, [...groups]),
  );
  return 0.5;
}

/** A DNS host that fails for a moment costs no try. */
async function writeInTime(attempt: Try, answers: readonly Answer[]): Promise<number> {
  try {
    return await writeAnswers(attempt, answers);
  } catch (error) {
    const mayWait = waitedSeconds(attempt.row) < passingSecondsMax;
    if (error instanceof OrderProblem && error.passes && mayWait) return 3;
    throw error;
  }
}

async function writeAnswers(attempt: Try, answers: readonly Answer[]): Promise<number> {
  const { services, row } = attempt;
  await assertNames(attempt);
  const client = await dnsClientOf(services, row.dnsAccountId!);
  const resolver = await platformResolver(services);
  const wanted = answers.map((answer) => ({
    name: answer.name,
    value: recordValue(answer.keyAuthorization),
  }));
  const records = await placeRecords(client, resolver, wanted);
  await removeFormer(attempt, client, records);
  await services.db
    .update(certificateOrder)
    .set({ records, updatedAt: row.updatedAt })
    .where(eq(certificateOrder.id, row.id));
  await writeRecords(client, records);
  const steps = records.map(({ name, zone }): NewStep => ({
    kind: 'record_written',
    facts: { record: name, zone },
  }));
  await advance(attempt, { phase: 'sent', waitingSince: new Date() }, steps);
  return 1;
}

/** Those of a try before, which could not be taken away when it ended. */
async function removeFormer(
  { services, row }: Try,
  client: DnsClient,
  records: readonly WrittenRecord[],
): Promise<void> {
  const wanted = new Set(records.flatMap(({ values }) => values));
  const former = row.records.flatMap((record) => {
    const values = record.values.filter((value) => !wanted.has(value));
    return values.length === 0 ? [] : [{ ...record, values }];
  });
  try {
    await removeRecords(client, former);
  } catch (error) {
    // Of another account, or of a zone that is gone.
    if (!(error instanceof OrderProblem)) throw error;
    services.log.warn({ err: error, order: row.id }, 'former records of a challenge could not be removed');
  }
}

async function awaitNodes(attempt: Try): Promise<number> {
  const { services, row } = attempt;
  const ready = await nodesReady(services.db, row.id, waitedSeconds(row));
  if (!ready) return 1;
  await advance(attempt, { phase: 'live', waitingSince: new Date() }, [
    { kind: 'challenge_live', facts: { nodes: String(ready.applied) } },
    ...(ready.away === 0 ? [] : [{ kind: 'nodes_away' as const, facts: { nodes: String(ready.away) } }]),
  ]);
  return 0;
}

async function awaitRecords(attempt: Try): Promise<number> {
  const { services, row } = attempt;
  const unseen = await unseenRecords(await platformResolver(services), row.records);
  if (unseen.length > 0) {
    if (waitedSeconds(row) > recordSecondsMax) {
      const { name, zone } = row.records.find((each) => each.name === unseen[0])!;
      throw new OrderProblem('record_unseen', unseen.join(', '), { facts: { name, zone } });
    }
    return 3;
  }
  await advance(attempt, { phase: 'live', waitingSince: new Date() }, [
    { kind: 'record_seen', facts: { record: row.records.map(({ name }) => name).join(', ') } },
  ]);
  return 0;
}

/** Of a try that goes on after its server was killed, those that the authority was not told of. */
async function letLook(
  attempt: Try,
  { session, signer, account }: AcmeAccess,
  order: AcmeOrder,
  pending: readonly AcmeAuthorization[],
): Promise<number> {
  const { row } = attempt;
  const isFirst = row.phase === 'live';
  const looked =
    isFirst && row.challenge === 'http-01'
      ? await lookAtAnswers(attempt, await answersOf({ signer }, pending))
      : [];
  for (const { challenge } of pending)
    if (challenge!.status === 'pending') await startChallenge(session, signer, challenge!.url);
  if (isFirst)
    await advance(attempt, { phase: 'validating' }, [
      ...looked,
      { kind: 'validating', facts: { account: account.name } },
    ]);
  return secondsUntil(order.retryAt, 1);
}
