import { createHash } from 'node:crypto';
import {
  logShippingOrder,
  type LogShipping,
  type LogShippingInput,
  type LogShippingOrder,
} from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import type * as z from 'zod';
import type { Db } from '../../db/database.ts';
import { node, nodeLineGroup } from '../../db/schema.ts';
import type { Secrets } from '../../secrets.ts';
import { readLogShippingRow, writeLogShippingRow } from '../setting/setting.store.ts';

/** The value for Authorization is encrypted. */
const stored = logShippingOrder.omit({ version: true });
type Stored = z.infer<typeof stored>;

const read = async (db: Db): Promise<Stored> => stored.parse((await readLogShippingRow(db)) ?? {});

function present({ http_authorization, ...destination }: Stored): LogShipping {
  return { ...destination, http_authorization_set: http_authorization !== undefined };
}

export async function readLogShipping(db: Db): Promise<LogShipping> {
  return present(await read(db));
}

/** A save without a value for Authorization keeps the one that is there. */
export async function writeLogShipping(
  db: Db,
  secrets: Secrets,
  { http_authorization, ...destination }: z.output<z.ZodType<LogShippingInput>>,
): Promise<LogShipping> {
  return db.transaction(async (tx) => {
    const before = (await read(tx)).http_authorization;
    const secret =
      http_authorization === undefined ? before : http_authorization && secrets.encrypt(http_authorization);
    const value = stored.parse({ ...destination, ...(secret ? { http_authorization: secret } : {}) });
    await writeLogShippingRow(tx, value);
    return present(value);
  });
}

/** What a node is to do. One outside of the line groups that are named sends nothing. */
export async function logShippingOf(db: Db, secrets: Secrets, nodeId: number): Promise<LogShippingOrder> {
  const { http_authorization: secret, ...setting } = await read(db);
  const isMeant = setting.kind !== 'off' && (await serves(db, nodeId, setting.line_group_ids));
  const order = {
    ...setting,
    ...(isMeant ? {} : { kind: 'off' as const }),
    ...(secret && isMeant ? { http_authorization: secrets.decrypt(secret) } : {}),
  };
  return { version: createHash('sha256').update(JSON.stringify(order)).digest('hex').slice(0, 16), ...order };
}

/** The nodes that are to send, and what each says of it. */
export async function sendingNodes(db: Db, secrets: Secrets) {
  const rows = await db
    .select({ id: node.id, name: node.name, state: node.state })
    .from(node)
    .where(eq(node.enabled, true))
    .orderBy(node.name);
  const nodes = [];
  for (const { id, name, state } of rows) {
    const { kind, version } = await logShippingOf(db, secrets, id);
    if (kind === 'off') continue;
    const told = state?.log_shipping ?? null;
    nodes.push({ id, name, in_service: told?.version === version, state: told });
  }
  return nodes;
}

async function serves(db: Db, nodeId: number, lineGroupIds: readonly number[]): Promise<boolean> {
  if (lineGroupIds.length === 0) return true;
  const rows = await db
    .select({ id: nodeLineGroup.lineGroupId })
    .from(nodeLineGroup)
    .where(eq(nodeLineGroup.nodeId, nodeId));
  return rows.some(({ id }) => lineGroupIds.includes(id));
}
