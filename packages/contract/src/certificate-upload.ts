import * as z from 'zod';
import { certificateFile, certificateGroupName, certificateKey } from './certificate.ts';
import { count, dateTime, id, inputText, name } from './common.ts';
import { defineRoutes } from './define.ts';
import { secret } from './secret.ts';

/**
 * Many certificates at once: files of any kind, in any order, are sorted into pairs, and each is bound to the sites whose domains it
 * covers. What that would do is read first, and then done as it was shown.
 */

export const certificateFilesMax = 300;
/** One upload brings so many certificates. */
export const certificatesUploadedMax = 100;
/** Of these so many may be PKCS#12 files: how long one takes to open is its maker's choice. */
export const pfxFilesMax = 20;
/** Over so many sites one upload reaches. */
export const uploadSitesMax = 1000;

const upload = {
  files: z
    .array(certificateFile)
    .min(1)
    .max(certificateFilesMax)
    .check((context) => {
      const at = context.value.flatMap(({ pfx }, index) => (pfx === undefined ? [] : [index]))[pfxFilesMax];
      if (at !== undefined)
        context.issues.push({
          code: 'custom',
          path: [at, 'pfx'],
          message: `pfx_count:${pfxFilesMax}`,
          input: '',
        });
    }),
  /** Of all PKCS#12 files among them. */
  pfx_password: secret(inputText().max(500)).optional(),
  /** For administrators, who upload for the platform itself without. */
  client_id: id.optional(),
};

const named = z.strictObject({ id, name: z.string(), not_after: dateTime });

/**
 * What a site would do with it: `follows` (it uses the certificate that is replaced, or has this one), `added` (its domains have none yet),
 * `replaces` (it takes the place of those that are named, or goes before them), `lasts_longer` (what the site has ends later: it is not
 * bound unless that is asked for).
 */
export const uploadUses = ['follows', 'added', 'replaces', 'lasts_longer'] as const;
export type UploadUse = (typeof uploadUses)[number];

const uploadSite = z.strictObject({
  id,
  /** Its first one. */
  domain: z.string(),
  /** Those of its domains that the certificate covers. */
  covered: z.array(z.string()),
  use: z.enum(uploadUses),
  /** The certificates that serve these domains now. */
  present: z.array(named),
});
export type UploadSite = z.infer<typeof uploadSite>;

const uploadCertificate = z.strictObject({
  /** By which it is named when it is uploaded. */
  fingerprint: z.string(),
  /** What it is to be called unless somebody says otherwise. */
  name: z.string(),
  files: z.array(z.string()),
  domains: z.array(z.string()),
  issuer: z.string(),
  ...certificateKey.shape,
  not_before: dateTime,
  not_after: dateTime,
  /** In the reader's language, as of an upload of one. */
  warnings: z.array(z.string()),
  /** It is there already. */
  known: named.nullable(),
  /** The certificate in whose place it comes, with the same domains and kind of key; all its sites follow. */
  replaces: named.nullable(),
  sites: z.array(uploadSite),
});
export type UploadCertificate = z.infer<typeof uploadCertificate>;

export const certificateUploadRoutes = defineRoutes({
  previewCertificates: {
    method: 'POST',
    path: '/prod-api/certificate/batch_preview',
    cost: 'upload',
    unlogged: true,
    summary:
      'Sort files into certificates and their private keys, and tell what uploading them would do: what is replaced, and which sites would use which. Nothing is stored.',
    access: { kind: 'both', permission: 'certificate.write' },
    body: z.strictObject(upload),
    response: z.strictObject({
      certificates: z.array(uploadCertificate),
      /** What came of no use, and why, in the reader's language. */
      problems: z.array(z.strictObject({ files: z.array(z.string()), reason: z.string() })),
      /** There are more sites than are looked at. */
      has_more_sites: z.boolean(),
    }),
    bodyBytesMax: 8 * 1024 * 1024,
  },
  uploadCertificates: {
    method: 'POST',
    path: '/prod-api/certificate/batch_upload',
    cost: 'upload',
    summary:
      'Upload many certificates out of the same files, as they were previewed: new, or in the place of those with the same domains. The chosen sites use them; binding them is a batch operation.',
    access: { kind: 'both', permission: 'certificate.write' },
    body: z.strictObject({
      ...upload,
      group_name: certificateGroupName.default(''),
      certificates: z
        .array(
          z.strictObject({
            fingerprint: inputText().max(100),
            name,
            /** As it was previewed. Where another one is there by now, nothing is done. */
            replaces: id.nullable(),
            site_ids: z.array(id).max(uploadSitesMax),
          }),
        )
        .min(1)
        .max(certificatesUploadedMax)
        .check((context) => {
          const known = context.value.map(({ fingerprint }) => fingerprint);
          known.forEach((each, index) => {
            if (known.indexOf(each) < index)
              context.issues.push({
                code: 'custom',
                path: [index],
                message: 'certificate_twice',
                input: each,
              });
          });
        }),
    }),
    response: z.strictObject({
      created: count,
      replaced: count,
      /** The batch operation that binds them to sites; null where there is nothing to bind. */
      batch_id: id.nullable(),
    }),
    bodyBytesMax: 8 * 1024 * 1024,
  },
});
