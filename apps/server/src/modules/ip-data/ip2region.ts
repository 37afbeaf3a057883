import { ip2regionText } from './ip2region.text.ts';

export interface ChineseStretch {
  first: number;
  last: number;
  province: string;
  carrier: string;
}

const { country, provinces, carriers } = ip2regionText.zh;
const entryBytes = 12;

/** The stretches of China in ip2region's file, in order: IPv4 addresses as numbers, with province and carrier where known. */
export function* readIp2region(file: Buffer): Generator<ChineseStretch> {
  const firstEntry = file.readUInt32LE(0);
  const lastEntry = file.readUInt32LE(4);
  if (lastEntry <= firstEntry || lastEntry + entryBytes > file.length)
    throw new Error('This is no file of ip2region.');
  const known = new Map<number, { province: string; carrier: string } | null>();
  for (let at = firstEntry; at <= lastEntry; at += entryBytes) {
    const pointer = file.readUInt32LE(at + 8);
    let place = known.get(pointer);
    if (place === undefined) {
      place = placeAt(file, pointer);
      known.set(pointer, place);
    }
    if (place) yield { first: file.readUInt32LE(at), last: file.readUInt32LE(at + 4), ...place };
  }
}

/** What the file says of an IPv4 address as a number; nothing outside of China. */
export function regionAt(file: Buffer, address: number): { province: string; carrier: string } | undefined {
  const firstEntry = file.readUInt32LE(0);
  let low = 0;
  let high = (file.readUInt32LE(4) - firstEntry) / entryBytes;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (file.readUInt32LE(firstEntry + middle * entryBytes) > address) high = middle - 1;
    else low = middle;
  }
  const at = firstEntry + low * entryBytes;
  if (address < file.readUInt32LE(at) || address > file.readUInt32LE(at + 4)) return undefined;
  return placeAt(file, file.readUInt32LE(at + 8)) ?? undefined;
}

/** Country, region, province, city and carrier stand between bars; the length of it all is in the pointer's first byte. */
function placeAt(file: Buffer, pointer: number) {
  const start = pointer & 0xff_ff_ff;
  const parts = file.toString('utf8', start + 4, start + (pointer >>> 24)).split('|');
  if (parts[0] !== country) return null;
  return {
    province: (provinces as Record<string, string>)[parts[2] ?? ''] ?? '-',
    carrier: (carriers as Record<string, string>)[parts[4] ?? ''] ?? '-',
  };
}
