import { ipFileBytesMax, type IpFileReport } from '@breakwater/contract';
import { unpackIpFile } from './ip-file-unpack.ts';
import { readIpRecord, type IpRecord } from './ip-record.ts';
import { openMmdb, readMmdb } from './mmdb.ts';

export interface UnpackedIpFile {
  content: Uint8Array;
  report: IpFileReport;
}

export function inspectPacked(bytes: Buffer): UnpackedIpFile {
  const content = unpackIpFile(bytes, ipFileBytesMax);
  return { content, report: inspectIpFile(content) };
}

/** What a MaxMind DB says that is known here. Fails where it is none. */
function inspectIpFile(file: Buffer): IpFileReport {
  const { metadata } = openMmdb(file);
  const known = new Map<object, IpRecord>();
  const found = { networks: 0, countries: 0, provinces: 0, carriers: 0, asns: 0 };
  const samples: IpFileReport['samples'] = [];
  for (const { start, value } of readMmdb(file)) {
    let record = known.get(value);
    if (record === undefined) known.set(value, (record = readIpRecord(value)));
    if (Object.keys(value).length > 0) found.networks += 1;
    if (record.country !== '-') found.countries += 1;
    if (record.province !== '-') found.provinces += 1;
    if (record.carrier !== '-') found.carriers += 1;
    if (record.asn !== 0) found.asns += 1;
    if (isNew(record, samples) && samples.length < 5) samples.push(sampleOf(start, record));
  }
  const hasRegions = found.provinces + found.carriers > 0;
  return {
    database_type: metadata.database_type,
    description: metadata.description,
    built_at: metadata.build_epoch > 0 ? new Date(metadata.build_epoch * 1000).toISOString() : null,
    ipv6: metadata.ip_version === 6,
    ...found,
    parts: [
      ...(found.countries > 0 ? (['country'] as const) : []),
      ...(hasRegions ? (['region'] as const) : []),
      ...(found.asns > 0 ? (['asn'] as const) : []),
    ],
    samples,
  };
}

/** Records that say something, of other countries or networks than those that are shown. */
function isNew(record: IpRecord, samples: IpFileReport['samples']): boolean {
  const { country, province, carrier, asn } = record;
  if (country === '-' && province === '-' && carrier === '-' && asn === 0) return false;
  return samples.every(
    (each) =>
      each.country !== plain(country) || each.province !== plain(province) || each.asn !== (asn || null),
  );
}

const plain = (part: string): string => (part === '-' ? '' : part);

function sampleOf(
  start: Buffer,
  { country, province, carrier, asn }: IpRecord,
): IpFileReport['samples'][number] {
  const isV4 = start.subarray(0, 12).every((byte) => byte === 0);
  const groups = Array.from({ length: 8 }, (_, index) => start.readUInt16BE(index * 2).toString(16));
  return {
    address: isV4
      ? start.subarray(12).join('.')
      : new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1),
    country: plain(country),
    province: plain(province),
    carrier: plain(carrier),
    asn: asn === 0 ? null : asn,
  };
}
