import { answerTypesOf, errors, type RouteSpec } from '@breakwater/contract';
import { openApiDocument } from '@breakwater/contract/openapi';
import type { Outcome } from './requests.ts';

const { paths } = openApiDocument() as {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
};
const codes = new Map<number, number>(Object.values(errors).map(({ code, status }) => [code, status]));
/** Nobody answers for a node that is away. */
const allowed: readonly number[] = [errors.node_silent.code, errors.node_never_connected.code];

/** What is wrong with an answer, whatever was asked. */
export function faultsOf(spec: RouteSpec, { status, contentType, body }: Outcome): string[] {
  const declared = paths[spec.path]?.[spec.method.toLowerCase()]?.responses ?? {};
  const faults = String(status) in declared ? [] : [`status ${status} is not described`];
  if (contentType === 'text/event-stream' && status === 200 && spec.transport === 'stream') return faults;
  if (status === 200 && answerTypesOf(spec.response)?.some((type) => contentType.startsWith(type)))
    return faults;
  const envelope = readEnvelope(contentType, body);
  if (envelope === undefined) return [...faults, `status ${status} without an envelope`];
  if (status >= 500 && !allowed.includes(envelope.code))
    faults.push(`status ${status}, code ${envelope.code}`);
  if (envelope.code === 0 ? status !== 200 : codes.get(envelope.code) !== status)
    faults.push(`status ${status} with code ${envelope.code}`);
  return faults;
}

interface Envelope {
  code: number;
  message: string;
}

function readEnvelope(contentType: string, body: string): Envelope | undefined {
  if (!/^application\/json\b/.test(contentType)) return undefined;
  try {
    const { code, message, errors: fields = [], ...rest } = JSON.parse(body) as Record<string, unknown>;
    if (!Number.isInteger(code) || typeof message !== 'string' || message === '') return undefined;
    if (code === 0 ? !('data' in rest) : Object.keys(rest).length > 0) return undefined;
    return Array.isArray(fields) && fields.every(isField) ? { code: code as number, message } : undefined;
  } catch {
    return undefined;
  }
}

const isField = (field: unknown): boolean =>
  typeof field === 'object' &&
  field !== null &&
  'path' in field &&
  typeof field.path === 'string' &&
  'message' in field &&
  typeof field.message === 'string';
