import type { CaaRecord } from 'node:dns';
import { makeResolver } from '../../dns-resolver.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { plainIpv6 } from '../site-domain/site-domain.service.ts';
import type { NewStep } from './certificate-order.store.ts';
import type { Try } from './order-try.ts';

/**
 * What several resolvers see of the names of an order: an authority asks from elsewhere, and a resolver that still has an old answer
 * explains what cannot be seen from here. It is told and decides nothing, for a name may lead elsewhere from elsewhere by intention.
 */

/** More than a person compares. */
const namesMax = 20;
const linesMax = 10;
const charactersMax = 2000;
const patience = { timeout: 1500, tries: 1 };

type RecordType = 'CNAME' | 'A' | 'AAAA' | 'CAA';

interface Question {
  name: string;
  type: RecordType;
}
interface Sight {
  server: string;
  /** For each question in its order; undefined where it was not answered. */
  answers: (string | undefined)[];
  /** Why not, in the resolver's own word. */
  error: string;
}

export async function compareResolvers({ services: { db }, row }: Pick<Try, 'services' | 'row'>) {
  const { dns_servers: ours, compared_dns_servers: others } = await readSiteSetting(db);
  if (others.length === 0) return [];
  const questions = row.domains.slice(0, namesMax).flatMap((name) => questionsAbout(name, row.challenge));
  const [own, ...sights] = await Promise.all([
    look('', ours, questions),
    ...others.map((server) => look(server, [server], questions)),
  ]);
  return stepsOf(questions, own, sights);
}

/** By HTTP an authority follows the name; by DNS it reads a record below it, which may be a CNAME. */
function questionsAbout(domain: string, challenge: 'http-01' | 'dns-01'): Question[] {
  const name = domain.replace(/^\*\./, '');
  const caa: Question = { name, type: 'CAA' };
  if (challenge === 'dns-01') return [{ name: `_acme-challenge.${name}`, type: 'CNAME' }, caa];
  return [{ name, type: 'CNAME' }, { name, type: 'A' }, { name, type: 'AAAA' }, caa];
}

async function look(
  server: string,
  servers: readonly string[],
  questions: readonly Question[],
): Promise<Sight> {
  const resolver = makeResolver(servers, patience);
  let error = '';
  const answers = await Promise.all(
    questions.map(async ({ name, type }) => {
      try {
        return textOf(await resolver.resolve(name, type as 'CAA'));
      } catch (failure) {
        const code = failure instanceof Error && 'code' in failure ? String(failure.code) : '';
        if (code === 'ENODATA' || code === 'ENOTFOUND') return '';
        error = code;
        return undefined;
      }
    }),
  );
  return { server, answers, error };
}

const textOf = (records: (string | CaaRecord)[]): string =>
  records
    .map((record) => (typeof record === 'string' ? plainOf(record) : caaText(record)))
    .toSorted()
    .join(', ');

const plainOf = (text: string): string => (text.includes(':') ? plainIpv6(text) : text.toLowerCase());

function caaText({ critical, ...record }: CaaRecord): string {
  const [[tag, value] = ['', '']] = Object.entries(record).filter(([field]) => field !== 'type');
  return `${critical} ${tag} ${JSON.stringify(value)}`;
}

/** One line for what all see, one for each difference, one for each resolver that said nothing. */
function stepsOf(questions: readonly Question[], own: Sight, sights: readonly Sight[]): NewStep[] {
  const steps: NewStep[] = [];
  const differing: NewStep[] = [];
  const agreeing: string[] = [];
  for (const { server, answers, error } of sights) {
    if (error !== '') steps.push({ kind: 'resolver_silent', detail: error, facts: { server } });
    if (answers.every((answer) => answer === undefined)) continue;
    const before = differing.length;
    for (const [place, { name, type }] of questions.entries()) {
      const [seen, ours] = [answers[place], own.answers[place]];
      if (seen === undefined || ours === undefined || seen === ours) continue;
      const facts = { server, name, record: type, seen: shown(seen), ours: shown(ours) };
      differing.push({ kind: 'resolver_differs', facts });
    }
    if (differing.length === before) agreeing.push(server);
  }
  if (agreeing.length > 0)
    steps.unshift({
      kind: 'resolvers_agree',
      detail: seenText(questions, own),
      facts: { servers: agreeing.join(', ') },
    });
  return [...steps, ...differing.slice(0, linesMax)];
}

const shown = (records: string): string => (records === '' ? '-' : records.slice(0, 300));

function seenText(questions: readonly Question[], { answers }: Sight): string {
  const lines = questions.flatMap(({ name, type }, place) =>
    answers[place] ? [`${name} ${type} ${answers[place]}`] : [],
  );
  return lines.join('\n').slice(0, charactersMax);
}
