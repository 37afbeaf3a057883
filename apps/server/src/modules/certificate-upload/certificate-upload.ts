import {
  allows,
  issueText,
  siteBatchRoutes,
  type certificateUploadRoutes,
  type Language,
} from '@breakwater/contract';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { X509Certificate } from 'node:crypto';
import type * as z from 'zod';
import { ApiError, invalid } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { iso } from '../../db/page.ts';
import { certificate } from '../../db/schema.ts';
import { holderOf, type Session } from '../../plugins/session.ts';
import { owned, ownerOfNew, type Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import {
  assertRoom,
  insertCertificate,
  keyOf,
  replaceCertificate,
  warningsOfPem,
} from '../certificate/certificate.service.ts';
import { startBinding } from '../site-batch/site-batch.service.ts';
import { readFiles } from './upload-files.ts';
import { planUpload, presentNamed, type Owner, type PlannedUpload } from './upload-plan.ts';

/** Uploads of many certificates: shown first, then done as they were shown. */

interface Author {
  session: Session;
  scope: Scope;
}
type Preview = z.output<typeof certificateUploadRoutes.previewCertificates.body>;
type Upload = z.output<typeof certificateUploadRoutes.uploadCertificates.body>;

async function plan({ db }: Pick<Services, 'db'>, { scope }: Author, input: Preview) {
  const owner: Owner = { scope, clientId: ownerOfNew(scope, input.client_id) };
  const { pairs, problems } = await readFiles(input.files, input.pfx_password ?? '');
  return { owner, problems, ...(await planUpload(db, owner, pairs)) };
}

export async function previewUpload(services: Services, author: Author, input: Preview, language: Language) {
  const { uploads, problems, hasMoreSites } = await plan(services, author, input);
  return {
    certificates: uploads.map((upload) => present(upload, language)),
    problems: problems.map(({ files, issue }) => ({ files, reason: issueText(issue, language) ?? issue })),
    has_more_sites: hasMoreSites,
  };
}

function present({ pair, files, known, replaces, sites }: PlannedUpload, language: Language) {
  return {
    fingerprint: pair.fingerprint,
    name: (known ?? replaces)?.name ?? pair.domains[0]!.slice(0, 100),
    files,
    domains: pair.domains,
    issuer: pair.issuer,
    ...keyOf(new X509Certificate(pair.certificate)),
    not_before: iso(pair.notBefore),
    not_after: iso(pair.notAfter),
    warnings: warningsOfPem(pair.certificate, language),
    known: known ? presentNamed(known) : null,
    replaces: replaces ? presentNamed(replaces) : null,
    sites: sites.map(({ present: at, ...each }) => ({ ...each, present: at.map(presentNamed) })),
  };
}

interface Chosen {
  upload: PlannedUpload;
  name: string;
  siteIds: number[];
}

/** Stores what was chosen in one transaction, with the batch that binds it to the sites. Throws `selection_changed` for what was not shown. */
export async function uploadMany(services: Services, author: Author, input: Upload) {
  const { db, secrets } = services;
  if (
    input.certificates.some(({ site_ids: ids }) => ids.length > 0) &&
    !allows(siteBatchRoutes.changeSitesSection.access, holderOf(author.session))
  )
    throw new ApiError('forbidden');
  const { owner, uploads } = await plan(services, author, input);
  const chosen = input.certificates.map((each, index) => chosenOf(uploads, each, index));
  return db.transaction(async (tx) => {
    const { clientId } = owner;
    const created = chosen.filter(({ upload }) => !upload.known && !upload.replaces);
    // Locks the customer, which comes before their certificates.
    if (clientId !== null && created.length > 0) await assertRoom(tx, clientId, created.length);
    await assertNew(tx, owner, created);
    await lockFormers(tx, owner, chosen);
    const ids = new Map<PlannedUpload, number>();
    for (const { upload, name } of chosen) {
      const former = upload.known ?? upload.replaces;
      const values = { clientId, name, groupName: input.group_name, pair: upload.pair };
      ids.set(upload, former?.id ?? (await insertCertificate(tx, secrets, author.session, values)));
    }
    const batchId = await startBinding(tx, author, bindingsOf(chosen, ids));
    const replaced = chosen.filter(({ upload }) => upload.replaces);
    for (const { upload } of replaced)
      await replaceCertificate(tx, secrets, upload.replaces!.id, upload.pair, { actor: author.session });
    return { created: created.length, replaced: replaced.length, batch_id: batchId };
  });
}

function chosenOf(
  uploads: readonly PlannedUpload[],
  { fingerprint, name, replaces, site_ids: siteIds }: Upload['certificates'][number],
  index: number,
): Chosen {
  const upload = uploads.find(({ pair }) => pair.fingerprint === fingerprint);
  if (!upload) throw invalid(`certificates.${index}.fingerprint`, 'does_not_exist');
  const isAsShown =
    (upload.replaces?.id ?? null) === replaces &&
    siteIds.every((id) => upload.sites.some((each) => each.id === id));
  if (!isAsShown) throw new ApiError('selection_changed');
  // A site that follows needs no change.
  const bound = siteIds.filter((id) => upload.sites.some((each) => each.id === id && each.use !== 'follows'));
  return { upload, name, siteIds: bound };
}

/** Of the same upload twice at once one finds them there. */
async function assertNew(tx: Transaction, { clientId }: Owner, created: readonly Chosen[]): Promise<void> {
  const fingerprints = created.map(({ upload }) => upload.pair.fingerprint);
  const ofOwner = clientId === null ? isNull(certificate.clientId) : eq(certificate.clientId, clientId);
  const there = await tx.$count(certificate, and(inArray(certificate.fingerprint, fingerprints), ofOwner));
  if (there > 0) throw new ApiError('selection_changed');
}

/** In one order, and before any document is: whoever replaces one of them waits here. */
async function lockFormers(tx: Transaction, { scope }: Owner, chosen: readonly Chosen[]): Promise<void> {
  const formers = chosen.flatMap(({ upload }) => upload.known ?? upload.replaces ?? []);
  if (formers.length === 0) return;
  const rows = await tx
    .select({ id: certificate.id, fingerprint: certificate.fingerprint })
    .from(certificate)
    .where(
      and(
        inArray(
          certificate.id,
          formers.map(({ id }) => id),
        ),
        owned(certificate, scope),
      ),
    )
    .orderBy(certificate.id)
    .for('update');
  const isThere = formers.every(({ id, fingerprint }) =>
    rows.some((row) => row.id === id && row.fingerprint === fingerprint),
  );
  if (!isThere) throw new ApiError('selection_changed');
}

/** The certificates of each site, in the order in which they were chosen. */
function bindingsOf(
  chosen: readonly Chosen[],
  ids: ReadonlyMap<PlannedUpload, number>,
): { siteId: number; domain: string; certificateIds: number[] }[] {
  const bindings = new Map<number, { siteId: number; domain: string; certificateIds: number[] }>();
  for (const { upload, siteIds } of chosen)
    for (const siteId of siteIds) {
      const { domain } = upload.sites.find(({ id }) => id === siteId)!;
      const binding = bindings.get(siteId) ?? { siteId, domain, certificateIds: [] };
      binding.certificateIds.push(ids.get(upload)!);
      bindings.set(siteId, binding);
    }
  return [...bindings.values()];
}
