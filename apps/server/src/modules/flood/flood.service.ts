import {
  addressesToldMax,
  packetKinds,
  type AddressTraffic,
  type FloodSetting,
  type PacketKind,
} from '@breakwater/contract';
import { formatAddress, parseNetwork } from '@breakwater/policy/address/ip';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { addressMinute, flood } from '../../db/schema.ts';
import { recordEvents, systemActor, type NewEvent } from '../../events/record-event.ts';
import { readFloodSetting } from '../setting/setting.store.ts';

/** From what nodes tell of their addresses: figures by the minute, and where it is flooded. */

const minuteMs = 60_000;

type Row = typeof flood.$inferSelect;
interface Node {
  id: number;
  name: string;
}
const totalOf = ({ packets }: AddressTraffic): number =>
  packetKinds.reduce((sum, kind) => sum + packets[kind], 0);
const bitsOf = ({ bytes }: AddressTraffic): number => bytes * 8;

/** What it is flooded with; undefined where it is not. */
function floodedWith(traffic: AddressTraffic, at: FloodSetting): PacketKind | undefined {
  const { packets } = traffic;
  const more = (one: PacketKind, other: PacketKind) => (packets[one] > packets[other] ? one : other);
  if (packets.syn >= at.syn) return 'syn';
  if (packets.reflected + packets.udp >= at.udp) return more('reflected', 'udp');
  if (packets.icmp + packets.other >= at.stray) return more('icmp', 'other');
  if (totalOf(traffic) >= at.packets || bitsOf(traffic) >= at.megabits * 1e6)
    return packetKinds.reduce((most, kind) => more(kind, most));
  return undefined;
}

/** There are ups and downs in what goes on: less than half of everything is calm. */
const isCalm = (traffic: AddressTraffic | undefined, at: FloodSetting): boolean =>
  traffic === undefined ||
  floodedWith(traffic, {
    ...at,
    syn: at.syn / 2,
    udp: at.udp / 2,
    stray: at.stray / 2,
    packets: at.packets / 2,
    megabits: at.megabits / 2,
  }) === undefined;

/** At one node at a time: more is no attack on its addresses, but a node that tells nonsense. */
const openMax = 2 * addressesToldMax;

/**
 * Called with each report of a node; `told` is absent where it has counted nothing, by which nothing ends. Returns whether the node
 * is to count packets.
 */
export async function recordTraffic(
  db: Db,
  node: Node,
  told: readonly AddressTraffic[] | undefined,
  now = new Date(),
): Promise<boolean> {
  const setting = await readFloodSetting(db);
  if (setting.enabled && told === undefined) return true;
  const traffic = setting.enabled ? inOneForm(told ?? []) : [];
  const isOpen = and(eq(flood.nodeId, node.id), isNull(flood.endedAt));
  if (traffic.length === 0 && (await db.$count(flood, isOpen)) === 0) return setting.enabled;
  await db.transaction(async (tx) => {
    await addMinutes(tx, node.id, traffic, now);
    const open = await tx.select().from(flood).where(isOpen).orderBy(asc(flood.id)).for('update');
    const events = [
      ...(await begin(tx, node, traffic, { open, setting, now })),
      ...(await goOn(tx, node, traffic, { open, setting, now })),
    ];
    await recordEvents(tx, events);
  });
  return setting.enabled;
}

/** Each address once, as it is spelled here, and in an order that is always the same: so no two reports wait for each other. */
function inOneForm(told: readonly AddressTraffic[]): AddressTraffic[] {
  const of = new Map(told.map((each) => [formatAddress(parseNetwork(each.address)!.address), each]));
  return [...of]
    .map(([address, each]) => ({ ...each, address }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1));
}

async function addMinutes(
  tx: Transaction,
  nodeId: number,
  traffic: readonly AddressTraffic[],
  now: Date,
): Promise<void> {
  if (traffic.length === 0) return;
  const time = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
  const added = (name: string) => sql.raw(`address_minute.${name} + excluded.${name}`);
  const sums = Object.fromEntries(['bytes', ...packetKinds].map((name) => [name, added(name)]));
  await tx
    .insert(addressMinute)
    .values(
      traffic.map((each) => ({
        nodeId,
        address: each.address,
        time,
        bytes: each.bytes,
        ...each.packets,
        peak: totalOf(each),
      })),
    )
    .onConflictDoUpdate({
      target: [addressMinute.nodeId, addressMinute.address, addressMinute.time],
      set: {
        ...sums,
        samples: sql.raw('address_minute.samples + 1'),
        peak: sql.raw('greatest(address_minute.peak, excluded.peak)'),
      },
    });
}

interface Standing {
  open: readonly Row[];
  setting: FloodSetting;
  now: Date;
}

async function begin(
  tx: Transaction,
  node: Node,
  traffic: readonly AddressTraffic[],
  { open, setting, now }: Standing,
): Promise<NewEvent[]> {
  const known = new Set(open.map(({ address }) => address));
  const begun = traffic.flatMap((each) => {
    const kind = known.has(each.address) ? undefined : floodedWith(each, setting);
    return kind
      ? [{ nodeId: node.id, address: each.address, kind, startedAt: now, ...figuresOf(each, now) }]
      : [];
  });
  // Of two reports at once, one begins it.
  const room = begun.slice(0, Math.max(0, openMax - open.length));
  if (room.length === 0) return [];
  const made = await tx.insert(flood).values(room).onConflictDoNothing().returning();
  return made.map(({ address, kind, packets, bits }) =>
    eventOf('flood_started', node, { address, kind, packets: Math.round(packets), bits: Math.round(bits) }),
  );
}

const figuresOf = (traffic: AddressTraffic, now: Date) => ({
  seenAt: now,
  packets: totalOf(traffic),
  bits: bitsOf(traffic),
  peakPackets: totalOf(traffic),
  peakBits: bitsOf(traffic),
  peakMix: traffic.packets,
});

async function goOn(
  tx: Transaction,
  node: Node,
  traffic: readonly AddressTraffic[],
  { open, setting, now }: Standing,
): Promise<NewEvent[]> {
  const of = new Map(traffic.map((each) => [each.address, each]));
  const events: NewEvent[] = [];
  for (const row of open) {
    const found = of.get(row.address);
    const isOne = eq(flood.id, row.id);
    const calmMs = row.calmSince === null ? 0 : now.getTime() - row.calmSince.getTime();
    if (found && !isCalm(found, setting)) {
      const { peakPackets, peakBits, peakMix, ...figures } = figuresOf(found, now);
      const isMost = peakPackets > row.peakPackets;
      await tx
        .update(flood)
        .set({
          ...figures,
          calmSince: null,
          peakBits: Math.max(peakBits, row.peakBits),
          ...(isMost ? { peakPackets, peakMix } : {}),
        })
        .where(isOne);
    } else if (!setting.enabled || calmMs >= setting.quiet_minutes * minuteMs) {
      await tx.update(flood).set({ endedAt: now }).where(isOne);
      events.push(
        eventOf('flood_ended', node, {
          address: row.address,
          kind: row.kind,
          minutes: Math.round((row.seenAt.getTime() - row.startedAt.getTime()) / minuteMs),
          peak_packets: Math.round(row.peakPackets),
        }),
      );
    } else if (row.calmSince === null) await tx.update(flood).set({ calmSince: now }).where(isOne);
  }
  return events;
}

const eventOf = (
  kind: 'flood_started' | 'flood_ended',
  node: Node,
  facts: Record<string, string | number>,
): NewEvent => ({
  kind,
  subject: { kind: 'node', id: node.id, name: node.name },
  actor: systemActor,
  data: { facts },
});
