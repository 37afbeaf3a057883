import type { ServedProblem } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { eachItem } from '../../each-item.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { paced } from '../../paced.ts';
import type { Services } from '../../services.ts';
import { expectedFor, hostOf, readCertificates, type Expected } from './served-expected.ts';
import { forget, postpone, storeFaults, type DueSite, type FoundFault } from './served-faults.ts';
import { probe, type Asked, type Probe, type ServedCertificate } from './served-probe.ts';
import { judgeStaple, type JudgedStaple } from './served-staple.ts';
import { readNodes, readSite } from './served-site.ts';

/**
 * What nodes serve, seen from outside: for every node of a site and every name of it that a certificate covers, a handshake as
 * a visitor makes it. After each change of the site or its certificates, and every night.
 */

const perRun = 500;
const runSeconds = 300;
const sitesAtOnce = 4;
const nodesAtOnce = 8;
/** Of all together: a night is long enough for half a million names and nodes at this rate. */
const handshakesPerSecond = 50;

/** The job. Returns how many sites it looked at. */
export async function runServedChecks({ db, log }: Services): Promise<number> {
  const due = await rowsOf<DueSite>(
    db,
    sql`SELECT site_id AS id, due_at::text AS due_at FROM served_check
        WHERE due_at <= now() ORDER BY served_check.due_at, site_id LIMIT ${perRun}`,
  );
  const about = 'check of served certificates';
  const work = { log, about, nameOf: ({ id }: DueSite) => id, seconds: runSeconds, atOnce: sitesAtOnce };
  const turn = paced(handshakesPerSecond);
  const ask: Ask = async (asked) => {
    await turn();
    return probe(asked);
  };
  return eachItem(due, work, (site) => checkSite({ db, log }, site, ask));
}

type Ask = (asked: Asked) => Promise<Probe>;

async function checkSite({ db, log }: Pick<Services, 'db' | 'log'>, due: DueSite, ask: Ask): Promise<void> {
  const site = await readSite(db, due.id);
  if (!site || site.certificates.length === 0) return forget(db, due);
  const { ready, silent, isWaiting } = await readNodes(db, site);
  if (isWaiting) return postpone(db, due);
  const certificates = readCertificates(site.certificates);
  const names = site.domains.flatMap((domain) => {
    const expected = expectedFor(hostOf(domain), certificates);
    // A name with two kinds of keys is not stapled.
    const staples = site.staples && expected.length === 1;
    return expected.map((one) => ({ domain, expected: one, isStapled: staples && one.canStaple }));
  });
  const faults: FoundFault[] = [];
  const ends: Date[] = [];
  const about = 'check of the certificates that a node serves';
  const work = {
    log,
    about,
    nameOf: (node: { id: number }) => node.id,
    seconds: runSeconds,
    atOnce: nodesAtOnce,
  };
  const done = await eachItem(ready, work, async ({ id, ip, port }) => {
    faults.push(...(await faultsOf({ id, ip, port }, names, ask, ends)));
  });
  if (done < ready.length) return postpone(db, due);
  const stapleUntil = ends.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
  await db.transaction((tx) => storeFaults(tx, site, due, { faults, silent, stapleUntil }));
}

interface Name {
  domain: string;
  expected: Expected;
  /** An OCSP answer is to go with it. */
  isStapled: boolean;
}

/** One for each domain at most. A node that cannot be reached is asked no further. When good OCSP answers end is added to `ends`. */
async function faultsOf(
  { id, ip: host, port }: { id: number; ip: string; port: number },
  names: readonly Name[],
  ask: Ask,
  ends: Date[],
): Promise<FoundFault[]> {
  const faults = new Map<string, FoundFault>();
  for (const { domain, expected, isStapled } of names) {
    const found = await ask({ host, port, servername: hostOf(domain), keyType: expected.keyType });
    const staple = isStapled && 'chain' in found ? judgeStaple(found.stapled, expected.serial) : undefined;
    const fault = faultIn(found, expected, staple);
    if (!fault) {
      if (staple?.until) ends.push(staple.until);
      continue;
    }
    if (!faults.has(domain)) faults.set(domain, { node_id: id, domain, ...fault });
    if (isAway(fault.error)) break;
  }
  return [...faults.values()];
}

/** Of the connection, by the system's names; those of TLS have an underscore. */
const isAway = (error: string): boolean => /^E[A-Z]+$/.test(error);

function faultIn(
  found: Probe,
  expected: Expected,
  staple: JudgedStaple | undefined,
): Omit<FoundFault, 'node_id' | 'domain'> | undefined {
  const expected_serial = expected.serial;
  if ('error' in found)
    return { problem: 'no_answer', expected_serial, ...shownOf(undefined), error: found.error, ...noStaple };
  const [leaf] = found.chain;
  const isSame = expected.chain.map((fingerprint, index) => found.chain[index]?.fingerprint === fingerprint);
  if (isSame.every(Boolean)) {
    if (staple?.problem === undefined) return undefined;
    const times = {
      staple_from: staple.from?.toISOString() ?? null,
      staple_until: staple.until?.toISOString() ?? null,
    };
    return { problem: 'staple', expected_serial, ...shownOf(leaf), error: staple.problem, ...times };
  }
  const problem: ServedProblem = isSame[0] ? 'chain' : 'other';
  return { problem, expected_serial, ...shownOf(leaf), error: '', ...noStaple };
}

const noStaple = { staple_from: null, staple_until: null };

const shownOf = (served: ServedCertificate | undefined) => ({
  served_serial: served?.serial ?? '',
  served_issuer: served?.issuer ?? '',
  served_not_after: served?.notAfter.toISOString() ?? null,
});
