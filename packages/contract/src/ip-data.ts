import * as z from 'zod';
import { dateTime, id, idText, nothing, inputText } from './common.ts';
import { defineRoutes } from './define.ts';
import { uploadedFile } from './file.ts';

/** The data of where addresses are, and the operator's own files in its place. */

/** What data says, each of which can come from a file of its own. `region`: provinces and carriers of China. */
export const ipDataParts = ['country', 'region', 'asn'] as const;
export type IpDataPart = (typeof ipDataParts)[number];

export const ipFileBytesMax = 128 * 1024 * 1024;

/** What a file was found to be. */
export const ipFileReport = z.strictObject({
  /** As the file calls itself. */
  database_type: z.string(),
  description: z.string(),
  built_at: dateTime.nullable(),
  ipv6: z.boolean(),
  networks: z.int(),
  /** Of how many networks it says something that is known here. */
  countries: z.int(),
  provinces: z.int(),
  carriers: z.int(),
  asns: z.int(),
  /** What it can be used for. */
  parts: z.array(z.enum(ipDataParts)),
  samples: z
    .array(
      z.strictObject({
        address: z.string(),
        country: z.string(),
        province: z.string(),
        carrier: z.string(),
        asn: z.int().nullable(),
      }),
    )
    .max(5),
});
export type IpFileReport = z.infer<typeof ipFileReport>;

const checkedFile = z.strictObject({ file_id: id, name: z.string(), bytes: z.int(), report: ipFileReport });
export type CheckedIpFile = z.infer<typeof checkedFile>;

const fileUrl = inputText()
  .trim()
  .max(2000)
  .regex(/^https?:\/\/[^\s/@]+(?:\/\S*)?$/, { error: 'url' });

/** A part as it is served: from what is shipped, a file of the environment, or the operator's own. */
export const ipDataPartInUse = z.strictObject({
  part: z.enum(ipDataParts),
  /** `none`: nothing is shipped for it. */
  source: z.enum(['shipped', 'environment', 'file', 'url', 'none']),
  name: z.string(),
  /** The operator's own file; null: none. Each fetch makes another. */
  file_id: id.nullable(),
  /** Whose the data is, and under which licence. */
  attribution: z.string(),
  url: z.string(),
  interval_seconds: z.int().nullable(),
  report: ipFileReport.nullable(),
  fetched_at: dateTime.nullable(),
  tried_at: dateTime.nullable(),
  /** Why the last attempt failed; empty where it did not. */
  last_error: z.string(),
});
export type IpDataPartInUse = z.infer<typeof ipDataPartInUse>;

const params = z.strictObject({ part: z.enum(ipDataParts) });
const changed = z.strictObject({ task_id: id.nullable() });

export const ipDataUse = z.strictObject({
  file_id: id,
  attribution: inputText().trim().max(500).default(''),
  /** Where it was fetched from, to be fetched again; empty: it was handed in. */
  url: z.union([z.literal(''), fileUrl]).default(''),
  interval_seconds: z.int().min(3600).max(2_592_000).default(604_800),
});

export const ipDataRoutes = defineRoutes({
  getIpData: {
    method: 'GET',
    path: '/prod-api/ip_data',
    summary: 'Get the sources of the location and network data, part by part, and the data built from them.',
    access: { kind: 'admin', permission: 'ip_data.read' },
    response: z.strictObject({
      parts: z.array(ipDataPartInUse),
      /** Null: no rule has asked for places yet, so none was built. */
      table: z
        .strictObject({
          built_at: dateTime,
          bytes: z.int(),
          /** Line groups whose nodes have it or are getting it. */
          line_groups: z.int(),
        })
        .nullable(),
    }),
  },
  uploadIpFile: {
    method: 'POST',
    path: '/prod-api/ip_data/file',
    summary: 'Upload a MaxMind DB file, optionally gzipped, and check its content. Nothing is activated.',
    access: { kind: 'admin', permission: 'ip_data.write' },
    transport: 'file',
    body: z.strictObject({ file: uploadedFile({ types: ['mmdb', 'gzip'], bytesMax: ipFileBytesMax }) }),
    response: checkedFile,
  },
  fetchIpFile: {
    method: 'POST',
    path: '/prod-api/ip_data/fetch',
    cost: 'refresh',
    summary: 'Download a MaxMind DB file from a URL and check its content. Nothing is activated.',
    access: { kind: 'admin', permission: 'ip_data.write' },
    body: z.strictObject({ url: fileUrl }),
    response: checkedFile,
  },
  useIpFile: {
    method: 'PUT',
    path: '/prod-api/ip_data/{part}',
    summary:
      'Activate a checked file for one part and deploy the new data to the nodes. Send the file that it is to replace, or null.',
    access: { kind: 'admin', permission: 'ip_data.write' },
    params,
    body: ipDataUse.extend({ replaces: id.nullable() }),
    response: changed,
  },
  refreshIpFile: {
    method: 'POST',
    path: '/prod-api/ip_data/{part}/refresh',
    cost: 'refresh',
    summary:
      'Update a part from its URL now. If that fails, the response gives the reason and the last good copy stays in use.',
    access: { kind: 'admin', permission: 'ip_data.write' },
    params,
    response: z.strictObject({ last_error: z.string(), task_id: id.nullable() }),
  },
  removeIpFile: {
    method: 'DELETE',
    path: '/prod-api/ip_data/{part}',
    summary: 'Reset a part to the built-in data. Send the file that is given up.',
    access: { kind: 'admin', permission: 'ip_data.write' },
    params,
    query: z.strictObject({ file_id: idText }),
    response: nothing,
  },
});
