import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  documentEnvelope,
  documentKinds,
  isOfKnownKind,
  type DeliveredEnvelope,
  type DocumentEnvelope,
  type DocumentResult,
} from '@breakwater/contract';
import type { Logger } from 'pino';
import { commitTemporary, dropTemporary, replaceFile, syncFolder, writeTemporary } from '../durable-file.ts';
import type { EdgeControl } from '../nginx/edge-control.ts';

export interface DocumentStoreOptions {
  /** Holds `<kind>/<key>.json`, one envelope each: what nginx reads when it starts. */
  documentsDir: string;
  control: EdgeControl;
  logger: Logger;
  /** Hears of every document that is in service, and with no body of every one that no longer is. */
  onDocument?: (name: string, body: string | undefined) => void;
  /** Called before documents are handed to nginx: what they need is got ready. Answers with why, for each refused. */
  beforeApply?: (documents: DocumentEnvelope[]) => Promise<Map<DocumentEnvelope, string>>;
  /** Called when documents have come into service or gone, before anybody is told. */
  afterApply?: () => Promise<void>;
}

interface Held {
  revision: number;
  hash: string;
  line_group_id?: number | undefined;
}

const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
/** nginx judges a message while it answers nobody else, so messages stay small. */
const messageDocuments = 100;
const messageBytes = 512 * 1024;

export const documentName = ({ kind, key }: { kind: string; key: string }): string => `${kind}/${key}`;

/**
 * The documents of this node on disk and in nginx. A new one is written aside, handed to nginx, and takes its place on
 * disk only when nginx applied it: whatever dies in between, the disk holds the last good revision. Calls that change
 * something wait for each other.
 */
export class DocumentStore {
  readonly #options: DocumentStoreOptions;
  /** What lies on disk and nginx is known to have. */
  readonly #held = new Map<string, Held>();
  /** nginx has applied them, and the disk lacks them yet. */
  readonly #unwritten = new Map<string, DocumentEnvelope>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: DocumentStoreOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Reads what lies on disk. Files that cannot be read are dropped: the control plane has them. Returns false then. */
  async load(): Promise<boolean> {
    let whole = true;
    for (const kind of documentKinds) {
      const folder = join(this.#options.documentsDir, kind);
      await mkdir(folder, { recursive: true, mode: 0o755 });
      for (const file of await readdir(folder)) {
        const path = join(folder, file);
        const envelope = file.startsWith('.') ? undefined : await readEnvelope(path);
        if (envelope) this.#keep(envelope);
        else await rm(path, { force: true });
        if (!envelope && !file.startsWith('.')) {
          whole = false;
          this.#options.logger.warn({ path }, 'a document on disk cannot be read and is fetched again');
        }
      }
    }
    return whole;
  }

  /** Brings documents into service or takes them out; says for each what became of it. Fails when nginx is not there. */
  apply(documents: readonly DeliveredEnvelope[]): Promise<DocumentResult[]> {
    return this.#inTurn(async () => {
      await this.#writeOut();
      const { results, unknown } = this.#judge(documents);
      const refused = await this.#options.beforeApply?.(unknown);
      for (const [document, reason] of refused ?? []) results.set(document, resultOf(document, reason));
      for (const message of messagesOf(unknown.filter((document) => !results.has(document))))
        for (const [index, result] of (await this.#applyMessage(message)).entries())
          results.set(message[index]!, result);
      if (unknown.length > 0) await this.#options.afterApply?.();
      return documents.map((document) => results.get(document)!);
    });
  }

  /** Lays documents where a nginx that starts finds them. Before it runs: nothing of it is judged, or acknowledged. */
  async layOut(documents: readonly DocumentEnvelope[]): Promise<void> {
    for (const document of documents) {
      if (flawOf(document) !== undefined) continue;
      const { kind, key } = document;
      const folder = join(this.#options.documentsDir, kind);
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const held = await readEnvelope(join(folder, `${key}.json`));
      if (held !== undefined && held.revision >= document.revision) continue;
      await replaceFile(join(folder, `${key}.json`), JSON.stringify(document), modeOf(document));
    }
  }

  /**
   * The same for what came with an event. Refreshes do not wait for the disk, which gets them with `settle`, before anybody is told that
   * they are in service: one that is lost before comes again, and to count up twice costs a needless miss and no stale answer.
   */
  applyPushed(documents: readonly DeliveredEnvelope[]): Promise<DocumentResult[]> {
    if (!documents.every(({ kind, deleted }) => kind === 'refresh' && !deleted)) return this.apply(documents);
    return this.#inTurn(async () => {
      const { results, unknown } = this.#judge(documents);
      for (const message of messagesOf(unknown))
        for (const [index, result] of (await this.#options.control.apply(message)).entries()) {
          const document = message[index]!;
          results.set(document, result);
          if (result.status === 'applied') this.#unwritten.set(documentName(document), document);
          else this.#tellRefusal(result);
        }
      return documents.map((document) => results.get(document)!);
    });
  }

  /** What came with events lies on the disk. */
  settle(): Promise<void> {
    return this.#inTurn(() => this.#writeOut());
  }

  /** What there is to say of documents already, and those that nginx is to judge. */
  #judge(documents: readonly DeliveredEnvelope[]) {
    const results = new Map<DeliveredEnvelope, DocumentResult>();
    const unknown: DocumentEnvelope[] = [];
    for (const document of documents) {
      const error = flawOf(document);
      if (!isOfKnownKind(document))
        results.set(document, resultOf(document, document.deleted ? undefined : unknownKind(document)));
      else if (error !== undefined) results.set(document, resultOf(document, error));
      else if (this.#has(document)) results.set(document, resultOf(document));
      else unknown.push(document);
    }
    return { results, unknown };
  }

  async #writeOut(): Promise<void> {
    const documents = [...this.#unwritten.values()];
    if (documents.length === 0) return;
    const { documentsDir } = this.#options;
    const pathOf = (document: DocumentEnvelope) => join(documentsDir, `${documentName(document)}.json`);
    await Promise.all(
      documents.map(async (one) => {
        await writeTemporary(pathOf(one), JSON.stringify(one), modeOf(one));
        await commitTemporary(pathOf(one));
      }),
    );
    for (const kind of new Set(documents.map((document) => document.kind)))
      await syncFolder(join(documentsDir, kind));
    for (const document of documents) this.#keep(document);
    this.#unwritten.clear();
  }

  /** From now on nginx serves nothing of what it stored so far. */
  refreshEverything(): Promise<void> {
    return this.#inTurn(() => this.#options.control.refreshEverything());
  }

  /** Takes out of service what is not among the names, on disk or in nginx. */
  async removeUnnamed(names: ReadonlySet<string>): Promise<void> {
    const revisions = new Map([...this.#held].map(([name, { revision }]) => [name, revision]));
    // With the revision that nginx has: it takes no notice of a deletion older than that.
    for (const entry of await this.#options.control.heldDocuments())
      revisions.set(documentName(entry), entry.revision);
    const surplus: DocumentEnvelope[] = [];
    for (const [name, revision] of revisions) {
      const [kind, key] = name.split('/');
      if (!names.has(name)) surplus.push(documentEnvelope.parse({ kind, key, revision, deleted: true }));
    }
    if (surplus.length > 0) await this.apply(surplus);
  }

  /** Hands to a nginx that has just started what it lacks of the disk. Returns false when it refused some of that. */
  reconcile(): Promise<boolean> {
    return this.#inTurn(async () => {
      await this.#writeOut();
      const { control, documentsDir, logger } = this.#options;
      const inNginx = new Map((await control.heldDocuments()).map((entry) => [documentName(entry), entry]));
      const missing: DocumentEnvelope[] = [];
      for (const [name, { revision, hash }] of this.#held) {
        const other = inNginx.get(name);
        if (other && other.revision >= revision && other.hash === hash) continue;
        const envelope = await readEnvelope(join(documentsDir, `${name}.json`));
        if (envelope) missing.push(envelope);
        else this.#held.delete(name);
      }
      let complete = true;
      for (const message of messagesOf(missing))
        for (const result of await control.apply(message)) {
          if (result.status === 'applied') continue;
          complete = false;
          this.#held.delete(documentName(result));
          logger.error({ ...result }, 'nginx refused a document from disk');
        }
      await this.#options.afterApply?.();
      return complete;
    });
  }

  async #applyMessage(documents: DocumentEnvelope[]): Promise<DocumentResult[]> {
    const { control, documentsDir } = this.#options;
    const pathOf = (document: DocumentEnvelope) => join(documentsDir, `${documentName(document)}.json`);
    const live = documents.filter(({ deleted }) => !deleted);
    await Promise.all(live.map((one) => writeTemporary(pathOf(one), JSON.stringify(one), modeOf(one))));
    const results = await control.apply(documents);
    await Promise.all(
      documents.map(async (document, index) => {
        if (results[index]?.status !== 'applied') await dropTemporary(pathOf(document));
        else if (document.deleted) await rm(pathOf(document), { force: true });
        else await commitTemporary(pathOf(document));
      }),
    );
    for (const kind of new Set(documents.map((document) => document.kind)))
      await syncFolder(join(documentsDir, kind));
    for (const [index, document] of documents.entries()) {
      const result = results[index];
      if (result?.status === 'applied') this.#keep(document);
      else this.#tellRefusal(result);
    }
    return results;
  }

  #tellRefusal(result: DocumentResult | undefined): void {
    const { logger } = this.#options;
    logger.error({ ...result }, 'nginx refused a document; the last good revision stays in service');
  }

  #keep(document: DocumentEnvelope): void {
    const name = documentName(document);
    if (document.deleted) this.#held.delete(name);
    else
      this.#held.set(name, {
        revision: document.revision,
        hash: document.hash ?? '',
        line_group_id: document.line_group_id,
      });
    this.#options.onDocument?.(name, document.body);
  }

  #has(document: DocumentEnvelope): boolean {
    const held = this.#unwritten.get(documentName(document)) ?? this.#held.get(documentName(document));
    return !document.deleted && isSame(held, document);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

/** Documents from before that was told say nothing of the line group. */
const isSame = (held: Held | DocumentEnvelope | undefined, document: DocumentEnvelope): boolean =>
  held?.revision === document.revision &&
  held.hash === document.hash &&
  held.line_group_id === document.line_group_id;

/** As for what documents need that this node does not know: refused by name, and the rest of the page is not. */
const unknownKind = ({ kind }: DeliveredEnvelope): string =>
  `documents of kind ${kind} are unknown to this agent`;

/** Why a document is not even shown to nginx: it would be no file name, or not what the control plane sent. */
function flawOf({ key, deleted, body, hash }: DeliveredEnvelope): string | undefined {
  if (!keyPattern.test(key)) return 'the key of the document cannot be a file name';
  if (deleted) return undefined;
  if (body === undefined) return 'the document has no body';
  return createHash('sha256').update(body).digest('hex') === hash
    ? undefined
    : 'the hash is not that of the body';
}

function resultOf({ kind, key, revision }: DeliveredEnvelope, error?: string): DocumentResult {
  return error === undefined
    ? { kind, key, revision, status: 'applied' }
    : { kind, key, revision, status: 'refused', error };
}

/** Private keys are for nginx's master, which reads them before it gives up its rights. */
const modeOf = ({ kind }: DocumentEnvelope): number =>
  kind === 'certificate' || kind === 'captcha_account' ? 0o600 : 0o644;

function messagesOf(documents: readonly DocumentEnvelope[]): DocumentEnvelope[][] {
  const messages: DocumentEnvelope[][] = [];
  let bytes = 0;
  for (const document of documents) {
    const size = document.body?.length ?? 0;
    const last = messages.at(-1);
    if (last && last.length < messageDocuments && bytes + size <= messageBytes) {
      last.push(document);
      bytes += size;
    } else {
      messages.push([document]);
      bytes = size;
    }
  }
  return messages;
}

/** Of a document that is in service, by its name. */
export const documentBody = async (edgeDir: string, name: string): Promise<string | undefined> =>
  (await readEnvelope(join(edgeDir, 'documents', `${name}.json`)))?.body;

async function readEnvelope(path: string): Promise<DocumentEnvelope | undefined> {
  try {
    const envelope = documentEnvelope.parse(JSON.parse(await readFile(path, 'utf8')));
    return flawOf(envelope) === undefined ? envelope : undefined;
  } catch {
    return undefined;
  }
}
