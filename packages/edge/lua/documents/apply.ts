import type {
  AcmeChallengeDocument,
  AddressListDocument,
  BanDocument,
  CaptchaAccountDocument,
  CertificateDocument,
  DocumentEnvelope,
  DocumentResult,
  LevelDocument,
  RefreshDocument,
  SiteDocument,
} from '@breakwater/contract/edge-document';
import { usesJa4 } from '@breakwater/policy/site/needs';
import { levelKey } from '@breakwater/policy/site/level-keys';
import { sha256Hex } from '../lib/digest.ts';
import { dropAnswers, putAnswers } from './acme-challenges.ts';
import { bumpEpoch, wantJa4 } from './epoch.ts';
import { gone, invalidateSite, siteSlot } from '../front/generations.ts';
import { decodeJson } from '../lib/json.ts';
import { applyRefresh } from './refresh.ts';
import { replaceBans } from '../protect/ban-store.ts';
import * as store from './store.ts';
import { problemOf } from './validate.ts';

/** Puts one document into service, or says why not; then the last good revision stays. */
/** `isStored`: it comes from the disk, where it lies since this edge applied it. */
export function applyEnvelope(envelope: DocumentEnvelope, isStored = false): DocumentResult {
  const { kind, key, revision } = envelope;
  const problem = envelopeProblem(envelope) ?? apply(envelope, isStored);
  if (problem === undefined) return { kind, key, revision, status: 'applied' };
  return { kind, key, revision, status: 'refused', error: string.sub(problem, 1, 2000) };
}

const knownKinds: Record<string, boolean> = {
  site: true,
  certificate: true,
  level: true,
  address_list: true,
  ip_data: true,
  refresh: true,
  acme_challenge: true,
  ban: true,
  ban_setting: true,
  known_vulnerability: true,
  captcha_account: true,
};

function envelopeProblem(envelope: DocumentEnvelope): string | undefined {
  if (type(envelope) !== 'table') return 'the envelope is no object';
  const isNamed = type(envelope.kind) === 'string' && type(envelope.key) === 'string';
  if (!isNamed || type(envelope.revision) !== 'number') return 'the envelope names no kind, key and revision';
  const kind: string = envelope.kind;
  if (knownKinds[kind] !== true) return `documents of kind ${kind} are unknown to this edge`;
  if (envelope.deleted) return undefined;
  if (type(envelope.body) !== 'string' || type(envelope.hash) !== 'string')
    return 'the envelope holds no body or no hash';
  return undefined;
}

function apply(envelope: DocumentEnvelope, isStored: boolean): string | undefined {
  const { kind, key, revision } = envelope;
  const active = store.revisionOf(kind, key);
  // What comes late is known already: the newer revision says all that it would.
  if (active !== undefined && active > revision) return undefined;
  if (envelope.deleted) return remove(envelope);
  const body = envelope.body!;
  if (kind === 'site') store.putLineGroup(key, envelope.line_group_id);
  if (active === revision && store.hashOf(kind, key) === envelope.hash) return undefined;
  if (sha256Hex(body) !== envelope.hash) return 'the hash is not that of the body';
  const [document, unreadable] = decodeJson(body);
  const problem = unreadable ?? problemOf(kind, document);
  if (problem !== undefined) return problem;
  if ((kind === 'site' || kind === 'level') && usesJa4(document)) wantJa4();
  if (kind === 'site') return putSite(envelope, document as SiteDocument);
  if (kind === 'refresh') return putRefresh(envelope, document as RefreshDocument, isStored);
  if (kind === 'ban') return putBans(envelope, document as BanDocument);
  // Workers look at its revision.
  if (kind === 'ban_setting') return store.putDocument(kind, key, revision, envelope.hash!, body);
  if (kind === 'acme_challenge') return putChallenges(envelope, document as AcmeChallengeDocument);
  if (kind === 'ip_data' || kind === 'known_vulnerability') return putData(envelope);
  if (kind === 'captcha_account') return putCaptchaAccount(envelope, document as CaptchaAccountDocument);
  if (kind === 'address_list') return putAddressList(envelope, document as AddressListDocument);
  if (kind === 'level') return putLevel(envelope, document as LevelDocument);
  return putCertificate(envelope, document as CertificateDocument);
}

function remove({ kind, key, revision }: DocumentEnvelope): string | undefined {
  if (kind === 'refresh' || kind === 'acme_challenge' || kind === 'ban') {
    const problem = kind === 'ban' ? replaceBans(toldBefore(key), undefined) : undefined;
    if (kind === 'acme_challenge') dropAnswers(key);
    store.forgetDocument(kind, key);
    return problem;
  }
  const domains = kind === 'site' ? activeDomains(key) : [];
  store.removeDocument(kind, key, revision);
  if (kind === 'site') store.putLineGroup(key, undefined);
  for (const domain of domains) releaseOwnDomain(domain, key);
  // Should it come back, it may have been refreshed meanwhile.
  if (kind === 'site') invalidateSite(siteSlot(key), gone);
  if (kind === 'level') store.bumpLevelEpoch();
  bumpEpoch();
  return undefined;
}

/** One document, however many sites inherit from it: each takes notice when it is next asked for. */
function putLevel({ key, revision, hash, body }: DocumentEnvelope, level: LevelDocument): string | undefined {
  if (levelKey(level.level, level.target_id) !== key) return `the document is of level ${level.level}`;
  const problem = store.putDocument('level', key, revision, hash!, body!);
  if (problem !== undefined) return problem;
  store.bumpLevelEpoch();
  bumpEpoch();
  return undefined;
}

/** What sites of any number ask. */
function putData({ kind, key, revision, hash, body }: DocumentEnvelope): string | undefined {
  const problem = store.putDocument(kind, key, revision, hash!, body!);
  if (problem === undefined) bumpEpoch();
  return problem;
}

function putCaptchaAccount(envelope: DocumentEnvelope, account: CaptchaAccountDocument): string | undefined {
  if (`${account.account_id}` !== envelope.key) return `the document is of account ${account.account_id}`;
  return putData(envelope);
}

function putAddressList(
  { key, revision, hash, body }: DocumentEnvelope,
  list: AddressListDocument,
): string | undefined {
  if (`${list.list_id}` !== key) return `the document is of list ${list.list_id}`;
  const problem = store.putDocument('address_list', key, revision, hash!, body!);
  if (problem === undefined) bumpEpoch();
  return problem;
}

/** Its counters are on the disk as well, so that one that lies there is not applied again. Its text is not kept in memory. */
function putRefresh(
  { key, revision, hash }: DocumentEnvelope,
  refresh: RefreshDocument,
  isStored: boolean,
): string | undefined {
  if (`${refresh.refresh_id}` !== key) return `the document is of refresh ${refresh.refresh_id}`;
  const site = `${refresh.site_id}`;
  // What is asked of a shield from now on is asked of none that has not come so far; this node says so of itself once it has.
  store.noteRefresh('refreshing', site, revision);
  if (!isStored) applyRefresh(refresh);
  store.noteRefresh('refreshed', site, revision);
  return store.putDocument('refresh', key, revision, hash!, '');
}

/** No epoch begins: nothing that workers hold says anything of them. */
function putChallenges(
  { key, revision, hash, body }: DocumentEnvelope,
  challenges: AcmeChallengeDocument,
): string | undefined {
  return putAnswers(key, challenges) ?? store.putDocument('acme_challenge', key, revision, hash!, body!);
}

/** No epoch begins: workers look bans up for each request. What was kept of a document that is refused stands. */
function putBans({ key, revision, hash, body }: DocumentEnvelope, bans: BanDocument): string | undefined {
  if (`${bans.segment_id}` !== key) return `the document is of segment ${bans.segment_id}`;
  const before = toldBefore(key);
  return store.putDocument('ban', key, revision, hash!, body!) ?? replaceBans(before, bans);
}

function toldBefore(key: string): BanDocument | undefined {
  const body = store.bodyOf('ban', key);
  return body === undefined ? undefined : (decodeJson(body)[0] as BanDocument);
}

function putCertificate(envelope: DocumentEnvelope, certificate: CertificateDocument): string | undefined {
  if (`${certificate.certificate_id}` !== envelope.key)
    return `the document is of certificate ${certificate.certificate_id}`;
  const problem = store.putDocument(
    'certificate',
    envelope.key,
    envelope.revision,
    envelope.hash!,
    envelope.body!,
  );
  if (problem === undefined) bumpEpoch();
  return problem;
}

function putSite(envelope: DocumentEnvelope, site: SiteDocument): string | undefined {
  const key = envelope.key;
  if (`${site.site_id}` !== key) return `the document is of site ${site.site_id}`;
  const wanted: Record<string, boolean> = {};
  for (const domain of site.domains) wanted[domain] = true;
  const before = activeDomains(key);
  const problem = store.putDocument('site', key, envelope.revision, envelope.hash!, envelope.body!);
  if (problem !== undefined) return problem;
  let isComplete = true;
  for (const domain of site.domains)
    if (mayClaim(domain, envelope)) isComplete = store.claimDomain(domain, key) && isComplete;
  for (const domain of before) if (wanted[domain] !== true) releaseOwnDomain(domain, key);
  bumpEpoch();
  return isComplete ? undefined : "the node's memory for documents is full";
}

/**
 * A domain belongs to one site at a time, and the site with the newer revision is right: a node that was away sees
 * only the last revision of each, so the one that gained a domain can come before the one that lost it.
 */
function mayClaim(domain: string, { key, revision }: DocumentEnvelope): boolean {
  const owner = store.siteOfDomain(domain);
  return owner === undefined || owner === key || (store.revisionOf('site', owner) ?? 0) < revision;
}

function releaseOwnDomain(domain: string, key: string): void {
  if (store.siteOfDomain(domain) === key) store.releaseDomain(domain);
}

/** The domains that the active revision of a site holds. */
function activeDomains(key: string): string[] {
  const body = store.bodyOf('site', key);
  if (body === undefined) return [];
  const [document] = decodeJson(body);
  return (document as SiteDocument).domains;
}
