/**
 * The documents in service, in memory shared by all workers. Kept per document: `rev/<kind>/<key>` its revision,
 * `hash/…` its hash, `body/…` its JSON; a deleted one keeps its revision only, so that an older revision that comes
 * late cannot bring it back. `host/<domain>` holds the key of the site that answers to a domain. Every change
 * ends with `bumpEpoch`, by which workers know that what they hold is no longer current.
 */
const documents = ngx.shared.edge_documents;

export function isLoaded(): boolean {
  return documents.get('epoch') !== undefined;
}

/** Names this run of nginx: new after every start, the same over reloads. */
export function setInstanceId(id: string): void {
  documents.set('instance', id);
}

export function instanceId(): string {
  return documents.get('instance') as string;
}

export function revisionOf(kind: string, key: string): number | undefined {
  return documents.get(`rev/${kind}/${key}`) as number | undefined;
}

export function hashOf(kind: string, key: string): string | undefined {
  return documents.get(`hash/${kind}/${key}`) as string | undefined;
}

export function bodyOf(kind: string, key: string): string | undefined {
  return documents.get(`body/${kind}/${key}`) as string | undefined;
}

/** How many documents of a kind are in service. */
export function countOf(kind: string): number {
  return (documents.get(`count/${kind}`) as number | undefined) ?? 0;
}

/** Nothing, or why it could not be kept; then what was there before still is. */
export function putDocument(
  kind: string,
  key: string,
  revision: number,
  hash: string,
  body: string,
): string | undefined {
  const before = bodyOf(kind, key);
  const kept =
    put(`body/${kind}/${key}`, body) &&
    put(`hash/${kind}/${key}`, hash) &&
    put(`rev/${kind}/${key}`, revision);
  if (kept) {
    if (before === undefined) documents.incr(`count/${kind}`, 1, 0);
    return undefined;
  }
  if (before === undefined) documents.delete(`body/${kind}/${key}`);
  else put(`body/${kind}/${key}`, before);
  return "the node's memory for documents is full";
}

export function removeDocument(kind: string, key: string, revision: number): void {
  if (bodyOf(kind, key) !== undefined) documents.incr(`count/${kind}`, -1, 0);
  documents.delete(`body/${kind}/${key}`);
  documents.delete(`hash/${kind}/${key}`);
  put(`rev/${kind}/${key}`, revision);
}

/** Of a kind that nobody asks for again: not even its revision stays. */
export function forgetDocument(kind: string, key: string): void {
  removeDocument(kind, key, 0);
  documents.delete(`rev/${kind}/${key}`);
}

/** Grows with every change of a level: until then what sites inherit stays the same. */
export function levelEpoch(): number {
  return (documents.get('levels') as number | undefined) ?? 0;
}

export function bumpLevelEpoch(): void {
  documents.incr('levels', 1, 0);
}

export function siteOfDomain(domain: string): string | undefined {
  return documents.get('host/' + domain) as string | undefined;
}

/** Through which line group this node has a site; absent in documents from before that was told. */
export function lineGroupOf(siteKey: string): number | undefined {
  return documents.get(`group/${siteKey}`) as number | undefined;
}

export function putLineGroup(siteKey: string, id: number | undefined): void {
  if (id === undefined) documents.delete(`group/${siteKey}`);
  else put(`group/${siteKey}`, id);
}

/** The newest refresh of a site that is begun here, and the newest that is done. */
export type RefreshMark = 'refreshing' | 'refreshed';

export function noteRefresh(mark: RefreshMark, siteKey: string, revision: number): void {
  if (newestRefresh(mark, siteKey) < revision) put(`${mark}/${siteKey}`, revision);
}

export function newestRefresh(mark: RefreshMark, siteKey: string): number {
  return (documents.get(`${mark}/${siteKey}`) as number | undefined) ?? 0;
}

export function claimDomain(domain: string, key: string): boolean {
  return put('host/' + domain, key);
}

export function releaseDomain(domain: string): void {
  documents.delete('host/' + domain);
}

/** What a certificate authority is answered that asks a host for a token. */
export function answerOf(host: string, token: string): string | undefined {
  return documents.get(`acme/${host}/${token}`) as string | undefined;
}

export function putAnswer(host: string, token: string, answer: string): boolean {
  return put(`acme/${host}/${token}`, answer);
}

export function removeAnswer(host: string, token: string): void {
  documents.delete(`acme/${host}/${token}`);
}

export interface DocumentName {
  kind: string;
  key: string;
}

/** Every document in service. It holds all workers up while it reads the keys: to be asked for seldom. */
export function listDocuments(): DocumentName[] {
  const names: DocumentName[] = [];
  for (const entry of documents.get_keys(0)) {
    const [kind, key] = string.match(entry, '^body/([^/]+)/(.+)$');
    if (kind !== undefined && key !== undefined) names.push({ kind, key });
  }
  return names;
}

/** `safe_set` rather than `set`, which would push out other documents when the memory is full. */
function put(key: string, value: string | number): boolean {
  const [isKept] = documents.safe_set(key, value);
  return isKept;
}
