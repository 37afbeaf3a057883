import { readFile } from 'node:fs/promises';
import { sliceSizes, type DocumentEnvelope } from '@breakwater/contract';
import { ConfigurationRefused, type EdgeProcess } from '@breakwater/edge/process/edge-process';
import type { SiteDirectives } from '@breakwater/edge/nginx/directives';
import { toByteString } from '@breakwater/policy';
import {
  parseKeptSnippet,
  parseSnippet,
  renderSnippet,
  type Snippet,
  type SnippetProblem,
} from '@breakwater/policy/site/nginx-snippet';
import type { Logger } from 'pino';
import * as z from 'zod';
import { replaceFile } from '../durable-file.ts';

export interface DirectiveKeeperOptions {
  /** What nginx had last: it starts with it, before the documents are read. */
  path: string;
  /** The running nginx; fails while there is none. */
  edge: () => EdgeProcess;
  logger: Logger;
}

const directivesFile = z.array(z.object({ siteId: z.int(), text: z.string(), places: z.array(z.string()) }));
const withSnippet = z.object({
  site_id: z.int(),
  cache_rule: z.array(z.object({ lock: z.boolean().optional(), slice_bytes: z.int().optional() })).optional(),
  advanced_config: z.object({ snippet: z.string() }),
});

type Brought = { directives: SiteDirectives; leftOut: string[] } | { problem: string } | undefined;

/**
 * Keeps nginx at what sites tell it themselves. Directives that nginx does not take make the document that brings them
 * be refused, and no other. Calls come one at a time, but for `complaintAbout`.
 */
export class DirectiveKeeper {
  readonly #options: DirectiveKeeperOptions;
  readonly #wanted = new Map<string, SiteDirectives>();

  constructor(options: DirectiveKeeperOptions) {
    this.#options = options;
  }

  async load(): Promise<SiteDirectives[]> {
    const text = await readFile(this.#options.path, 'utf8').catch(() => '[]');
    return directivesFile.safeParse(JSON.parse(text || '[]')).data ?? [];
  }

  track(document: string, body: string | undefined): void {
    const brought = broughtBy(body);
    if (brought && 'directives' in brought) {
      this.#wanted.set(document, brought.directives);
      for (const reason of brought.leftOut)
        this.#options.logger.warn({ document, reason }, 'a directive of a site is left out');
    } else this.#wanted.delete(document);
  }

  /** Gives nginx what these documents bring. Answers with why, for each that has to be refused. */
  async prepare(documents: readonly DocumentEnvelope[]): Promise<Map<DocumentEnvelope, string>> {
    const refused = new Map<DocumentEnvelope, string>();
    const edge = this.#options.edge();
    let next = [...edge.siteDirectives];
    for (const document of documents) {
      const brought = broughtBy(document.body);
      if (brought === undefined) continue;
      if ('problem' in brought) refused.set(document, brought.problem);
      else {
        const candidate = replaced(next, brought.directives);
        const complaint = isSame(candidate, next) ? undefined : await edge.complaintAbout(candidate);
        if (complaint === undefined) next = candidate;
        else refused.set(document, `nginx refuses the site's directives: ${complaint}`);
      }
    }
    await this.#direct(next);
    return refused;
  }

  /** Takes out what no document brings any more, and gives nginx again what it started without. */
  async settle(): Promise<void> {
    try {
      await this.#direct([...this.#wanted.values()]);
    } catch (error) {
      if (!(error instanceof ConfigurationRefused)) throw error;
      this.#options.logger.error({ err: error }, 'directives of sites stay as they were');
    }
  }

  /** What this node has against directives for a site; nothing changes. */
  async complaintAbout(siteId: number, snippet: string): Promise<string | undefined> {
    const brought = readSnippet(siteId, parseSnippet(toByteString(snippet)), ['plain', 'cached']);
    if ('problem' in brought) return brought.problem;
    const edge = this.#options.edge();
    return edge.complaintAbout(replaced(edge.siteDirectives, brought.directives));
  }

  async #direct(sites: readonly SiteDirectives[]): Promise<void> {
    const edge = this.#options.edge();
    const sorted = [...sites].sort((one, other) => one.siteId - other.siteId);
    if (isSame(sorted, edge.siteDirectives)) return;
    await edge.direct(sorted);
    await replaceFile(this.#options.path, JSON.stringify(sorted));
  }
}

const isSame = (one: readonly SiteDirectives[], other: readonly SiteDirectives[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function replaced(all: readonly SiteDirectives[], one: SiteDirectives): SiteDirectives[] {
  const others = all.filter(({ siteId }) => siteId !== one.siteId);
  return [...others, one].sort((first, second) => first.siteId - second.siteId);
}

/** What a document brings, if anything; read as strictly as the control plane did, at its time. */
function broughtBy(body: string | undefined): Brought {
  if (body === undefined || !body.includes('"snippet"')) return undefined;
  const { data } = withSnippet.safeParse(JSON.parse(body));
  if (data === undefined || data.advanced_config.snippet === '') return undefined;
  const places = new Set(['plain', 'cached']);
  // A site that inherits its rules has all places: which of them it needs changes without its document.
  const rules = data.cache_rule ?? sliceSizes.map((slice_bytes) => ({ slice_bytes, lock: false }));
  for (const { lock, slice_bytes: sliceBytes = 0 } of rules) {
    if (lock === false) places.add('unlocked');
    if (sliceBytes > 0) places.add(`slice_${sliceBytes / 1_048_576}m`).add('whole');
  }
  return readSnippet(data.site_id, parseKeptSnippet(toByteString(data.advanced_config.snippet)), [...places]);
}

function readSnippet(
  siteId: number,
  { directives, problem, leftOut }: Snippet,
  places: string[],
): NonNullable<Brought> {
  const named = ({ line, reason }: SnippetProblem) => `line ${line} of the site's directives: ${reason}`;
  if (problem) return { problem: named(problem) };
  // From bytes back to text.
  const text = Buffer.from(renderSnippet(directives), 'latin1').toString('utf8');
  return { directives: { siteId, text, places }, leftOut: leftOut.map(named) };
}
