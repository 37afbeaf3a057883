import { quote } from './text.ts';

/** A folder in which answers are kept, mostly a disk of its own. */
export interface CacheDisk {
  folder: string;
  /** nginx's spelling, `10g`. */
  sizeMax: string;
  /** Is left free on the disk, whatever else fills it. */
  freeMin: string;
}

const zoneOf = (index: number): string => (index === 0 ? 'edge' : `edge_${index}`);

/** Of nginx's spelling; what it does not know either counts as 10g, until it refuses the configuration. */
export function bytesOf(size: string): number {
  const [, count = '10', unit = 'g'] = /^(\d+)([kmg]?)$/i.exec(size) ?? [];
  const units: Record<string, number> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };
  return Number(count) * (units[unit.toLowerCase()] ?? 1);
}

const sizeOf = (disks: readonly CacheDisk[]): number =>
  disks.reduce((sum, { sizeMax }) => sum + bytesOf(sizeMax), 0);

/** nginx takes no zone of less than eight pages. */
const keysKilobytesMin = 1024;

/** `keysBytes`: memory for what is known of all that is kept, 128 bytes for each answer; each disk has as much of it as it has of the answers. */
export function cachePaths(disks: readonly CacheDisk[], keysBytes: number): string {
  const all = sizeOf(disks);
  const kilobytes = ({ sizeMax }: CacheDisk) =>
    Math.max(keysKilobytesMin, Math.ceil((keysBytes * (bytesOf(sizeMax) / all)) / 1024));
  return disks
    .map(
      (disk, index) =>
        `proxy_cache_path ${quote(disk.folder)} levels=1:2 keys_zone=${zoneOf(index)}:${kilobytes(disk)}k max_size=${disk.sizeMax} min_free=${disk.freeMin} inactive=30d use_temp_path=off;`,
    )
    .join('\n  ');
}

/** On which of several disks an answer is kept: by its key, in the measure of their sizes. All parts of one are together. */
export function diskOfKey(disks: readonly CacheDisk[]): string {
  if (disks.length === 1) return 'map "" $cache_disk { default ""; }';
  const all = sizeOf(disks);
  const shares = disks.map(({ sizeMax }, index) =>
    index === disks.length - 1
      ? `* ${zoneOf(index)};`
      : `${((bytesOf(sizeMax) / all) * 100).toFixed(2)}% ${zoneOf(index)};`,
  );
  return `split_clients $cache_key $cache_disk { ${shares.join(' ')} }`;
}

/** The zone of a visitor's request, and in the internal servers, which are told it. */
export const zoneVariable = (disks: readonly CacheDisk[]): string =>
  disks.length === 1 ? zoneOf(0) : '$cache_disk';
export const toldZone = (disks: readonly CacheDisk[]): string =>
  disks.length === 1 ? zoneOf(0) : '$http_x_breakwater_disk';
