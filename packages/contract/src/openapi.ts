import * as z from 'zod';
import contract from '../package.json' with { type: 'json' };
import { takesIdempotencyKey, type RouteSpec } from './define.ts';
import { answerTypesOf, filesOf, fileSpecOf } from './file.ts';
import { isOfWhole, type Access } from './permissions.ts';
import { errors, type ErrorName } from './errors.ts';
import { routes } from './index.ts';
import type { Language } from './issues.text.ts';
import { openApiText, type OpenApiText } from './openapi.text.ts';
import { signatureWindowSeconds } from './node-api.ts';

/** Any JSON value; the document is made of these and read by machines. */
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = Record<string, Json>;

const bodyBytesUsual = 64 * 1024;

/** The whole API as an OpenAPI 3.1 document, made of the routes and nothing else; its sentences are in one language. */
export function openApiDocument(language: Language = 'en'): JsonObject {
  const t = openApiText[language];
  const paths: Record<string, JsonObject> = {};
  const schemas: Record<string, Json> = { Error: errorSchema(t) };
  const tags = new Set<string>();
  for (const [name, route] of Object.entries(routes) as [string, RouteSpec][]) {
    const tag = tagOf(route);
    tags.add(tag);
    (paths[route.path] ??= {})[route.method.toLowerCase()] = hoistDefinitions(
      operation(name, route, tag, t),
      name,
      schemas,
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Breakwater',
      version: contract.version,
      description: t.about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: [...tags].sort().map((name) => ({ name })),
    paths,
    components: { schemas, responses: errorResponses(t), securitySchemes: securitySchemes(t) },
  };
}

/** The first part of a path after its prefix; what a session needs stands together, wherever it lies. */
function tagOf(route: RouteSpec): string {
  const [, prefix, entity] = route.path.split('/');
  if (prefix === 'node-api') return 'node-api';
  return entity === 'login' ? 'auth' : (entity ?? 'other');
}

function operation(name: string, route: RouteSpec, tag: string, t: OpenApiText): JsonObject {
  const parameters = [
    ...parametersOf(route.params, 'path', t),
    ...parametersOf(route.query, 'query', t),
    ...(takesIdempotencyKey(route) ? [idempotencyKey(t)] : []),
  ];
  return {
    operationId: name,
    tags: [tag],
    summary: t.summary(name, route.summary),
    description: describeAccess(route.access, t),
    security: securityOf(route.access),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route, t),
    responses: { '200': success(route, t), ...failures(route) },
  };
}

const idempotencyKey = (t: OpenApiText): JsonObject => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: t.idempotencyKey,
  schema: { type: 'string', maxLength: 200 },
});

/** A recursive schema refers to itself under its own root; in a larger document such parts stand under `components`. */
function hoistDefinitions(described: JsonObject, prefix: string, schemas: Record<string, Json>): JsonObject {
  const text = JSON.stringify(described).replaceAll('"#/$defs/__schema', `"#/components/schemas/${prefix}`);
  return JSON.parse(text, (key, value: JsonObject) => {
    if (key !== '$defs') return value;
    for (const [name, schema] of Object.entries(value)) {
      const target = name.replace('__schema', prefix);
      if (target in schemas) throw new Error(`two schemas of ${prefix} would be named ${target}`);
      schemas[target] = schema;
    }
    return undefined;
  }) as JsonObject;
}

/** JSON Schema of what travels; `input` is what a caller writes, `output` what a caller reads. */
function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output', t: OpenApiText): JsonObject {
  const override = (part: SchemaPart) => simplify(part, t);
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override });
  return rest as JsonObject;
}

interface SchemaPart {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * Leaves out what says nothing to a reader: the bounds of every integer, and the pattern beside a format. What is sent as a
 * file has its media type.
 */
function simplify({ zodSchema, jsonSchema }: SchemaPart, t: OpenApiText): void {
  const file = fileSpecOf(zodSchema);
  if (file) {
    const description = t.file(file.types.join(', '), file.bytesMax);
    const content = file.json
      ? { contentMediaType: 'application/json', contentSchema: { ...jsonSchema } }
      : { contentMediaType: 'application/octet-stream' };
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    Object.assign(jsonSchema, { type: 'string', description, ...content });
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format) delete jsonSchema.pattern;
}

function parametersOf(
  schema: z.core.$ZodType | undefined,
  where: 'path' | 'query',
  t: OpenApiText,
): JsonObject[] {
  if (!schema) return [];
  // Parameters arrive as text and are coerced, which leaves the written side without a type: the read side has one.
  const { properties = {}, required = [] } = schemaOf(schema, 'output', t) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: where,
    required: where === 'path' || (required.includes(name) && !hasDefault(value)),
    schema: value,
  }));
}

function hasDefault(schema: Json): boolean {
  return typeof schema === 'object' && schema !== null && 'default' in schema;
}

function requestBody(route: RouteSpec, t: OpenApiText): JsonObject {
  const bytes = route.bodyBytesMax ?? bodyBytesUsual;
  const limit = t.bodyMax(bytes);
  if (route.transport === 'raw')
    return { requestBody: { required: true, description: limit, content: { 'application/gzip': {} } } };
  if (route.transport === 'callback') {
    const types = ['application/json', 'application/x-www-form-urlencoded', 'application/xml', 'text/xml'];
    const content = Object.fromEntries(types.map((type) => [type, {}]));
    return { requestBody: { required: false, description: limit, content } };
  }
  if (!route.body) return {};
  const schema = schemaOf(route.body, 'input', t);
  if (route.transport === 'file') {
    const names = [...filesOf(route.body).keys()].join(', ');
    const description = t.formMax(names, bytes);
    return { requestBody: { required: true, description, content: { 'multipart/form-data': { schema } } } };
  }
  const content = { 'application/json': { schema } };
  return { requestBody: { required: true, description: limit, content } };
}

function success(route: RouteSpec, t: OpenApiText): JsonObject {
  const data = schemaOf(route.response, 'output', t);
  if (route.transport === 'stream')
    return {
      description: t.events,
      content: { 'text/event-stream': { schema: data } },
    };
  if (route.transport === 'callback')
    return { description: t.accepted, content: { 'text/plain': { schema: { type: 'string' } } } };
  const types = answerTypesOf(route.response);
  if (types)
    return {
      description: t.fileAnswer,
      content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
    };
  return {
    description: t.done,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { code: { const: 0 }, message: { type: 'string' }, data },
          required: ['code', 'message', 'data'],
        },
      },
    },
  };
}

/** The errors by status that a route can answer with; the fuzz of the server holds answers against it. */
function failures(route: RouteSpec): JsonObject {
  // Broken escapes and header fields that are too long are found before any call.
  const statuses = new Set([400, 431, 500, 503]);
  if (route.access.kind !== 'public') statuses.add(401).add(403);
  // So much of an account, and no more.
  if (route.access.kind !== 'public' && route.access.kind !== 'node') statuses.add(429);
  if (route.params || namesObject(route.query) || namesObject(route.body)) statuses.add(404);
  // A body that nobody asked for is read as well.
  if (route.method !== 'GET') statuses.add(409).add(413).add(415);
  if (route.access.kind === 'public') statuses.add(401).add(429);
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
  );
}

/** What a call is about may stand in its query or its body: a site, or a level with what it is the level of. A list is only narrowed by them. */
function namesObject(part: z.core.$ZodType | undefined): boolean {
  if (!(part instanceof z.ZodObject)) return false;
  const { site_id, subject_id, target_id } = part.shape;
  return (
    subject_id !== undefined ||
    target_id !== undefined ||
    (site_id !== undefined && !(site_id instanceof z.ZodOptional))
  );
}

const errorSchema = (t: OpenApiText): JsonObject => ({
  type: 'object',
  description: t.errorEnvelope,
  properties: {
    code: { type: 'integer' },
    message: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['code', 'message'],
});

function errorResponses(t: OpenApiText): JsonObject {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of Object.keys(errors) as ErrorName[]) {
    const { status } = errors[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      `E${status}`,
      {
        description: t.errorsOf(names),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

const securitySchemes = (t: OpenApiText): JsonObject => ({
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: t.session },
  node: { type: 'apiKey', in: 'header', name: 'Authorization', description: t.node(signatureWindowSeconds) },
});

function securityOf(access: Access): JsonObject[] {
  if (access.kind === 'public') return [];
  return [access.kind === 'node' ? { node: [] } : { session: [] }];
}

function describeAccess(access: Access, { access: t }: OpenApiText): string {
  switch (access.kind) {
    case 'public':
      return t.public[access.on];
    case 'admin':
      return t.admin(access.permission);
    case 'user':
      return t.user(access.permission);
    case 'both':
      return `${t.both(access.permission)}${isOfWhole(access) ? t.ofWhole : ''}`;
    case 'signed_in':
      return t.signedIn;
    case 'node':
      return t.node;
  }
}
