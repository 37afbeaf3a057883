import * as z from 'zod';
import { dateTime, id, listOf, listQuery, optionalIdText, optionalText } from './common.ts';
import { defineRoutes } from './define.ts';

export const operatorTypes = ['admin', 'client', 'member', 'unknown'] as const;
export const operationLog = z.strictObject({
  id,
  request_id: z.string(),
  user_type: z.enum(operatorTypes),
  user_id: id.nullable(),
  user_name: z.string(),
  /** The name of the API token that the user's program came with; empty: in person. */
  program: z.string(),
  ip: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  query: z.string(),
  /** Bodies as JSON text with secrets masked, cut at 4 kB. */
  request_body: z.string(),
  response_body: z.string(),
  duration_ms: z.int(),
  created_at: dateTime,
});
export type OperationLog = z.infer<typeof operationLog>;

export const operationLogRoutes = defineRoutes({
  listOperationLogs: {
    method: 'GET',
    path: '/prod-api/operation_log',
    summary: 'List the operation log, newest first.',
    access: { kind: 'admin', permission: 'operation_log.read' },
    query: listQuery({
      /** `known`: everybody who was signed in. */
      user_type: z.enum([...operatorTypes, 'known']).optional(),
      user_id: optionalIdText,
      method: optionalText,
      path: optionalText,
      ip: optionalText,
      request_id: optionalText,
    }),
    response: listOf(operationLog),
  },
});
