import { operationLogRoutes } from '@breakwater/contract';
import { and, desc, eq, ne } from 'drizzle-orm';
import { contains, iso, listPage, pageOf } from '../../db/page.ts';
import { operationLog } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';

export const operationLogModule = implement(operationLogRoutes, {
  listOperationLogs: async ({ services: { db }, query }) => {
    const where = and(
      query.user_type === 'known'
        ? ne(operationLog.userType, 'unknown')
        : query.user_type && eq(operationLog.userType, query.user_type),
      query.user_id ? eq(operationLog.userId, query.user_id) : undefined,
      query.method ? eq(operationLog.method, query.method.toUpperCase()) : undefined,
      query.request_id ? eq(operationLog.requestId, query.request_id) : undefined,
      contains(operationLog.path, query.path),
      contains(operationLog.ip, query.ip),
    );
    const { limit, offset } = pageOf(query);
    const [rows, total] = await Promise.all([
      db.select().from(operationLog).where(where).orderBy(desc(operationLog.id)).limit(limit).offset(offset),
      db.$count(operationLog, where),
    ]);
    const list = rows.map((row) => ({
      id: row.id,
      request_id: row.requestId,
      user_type: row.userType,
      user_id: row.userId,
      user_name: row.userName,
      program: row.program,
      ip: row.ip,
      method: row.method,
      path: row.path,
      status: row.status,
      query: row.query,
      request_body: row.requestBody,
      response_body: row.responseBody,
      duration_ms: row.durationMs,
      created_at: iso(row.createdAt),
    }));
    return listPage(query, list, total);
  },
});
