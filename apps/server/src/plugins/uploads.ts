import multipart from '@fastify/multipart';
import { filesOf, type FileSpec, type FileType, type UploadedFile } from '@breakwater/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { ApiError, invalid } from '../api-error.ts';
import type { Config } from '../config.ts';
import { isNestedTooDeeply } from '../json-depth.ts';
import { fileTypeOf } from './file-type.ts';

/** Forms with files in them: read to the disk as they arrive, never held whole in memory. */

const fieldsMax = 50;

/** Within a context of their own: of these routes nothing but forms is read, and forms by nobody else. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(multipart, { throwFileSizeLimit: false });
}

export interface Upload {
  /** By field, to be parsed by the schema of the body. */
  body: Record<string, unknown>;
  /** Gives the files up. */
  close(): Promise<void>;
}

/**
 * Reads a form. Throws `too_large` with the field whose file is over its limit, `invalid_input` for a file that is not of its
 * types or of no field, `malformed_body` for what is no form or breaks off; nothing of it is left then.
 */
export async function readUpload(
  config: Config,
  request: FastifyRequest,
  schema: z.core.$ZodType,
  fieldBytesMax: number,
): Promise<Upload> {
  const specs = filesOf(schema);
  const fields: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const opened: FileHandle[] = [];
  const close = async () => {
    await Promise.all(opened.splice(0).map((handle) => handle.close()));
  };
  const body: Record<string, unknown> = {};
  try {
    let textBytes = 0;
    for await (const part of request.parts({ limits: limitsOf(specs, fieldBytesMax) })) {
      const { fieldname } = part;
      if (Object.hasOwn(body, fieldname)) throw invalid(fieldname, 'invalid');
      const spec = specs.get(fieldname);
      if (part.type === 'file') {
        if (!spec) throw invalid(fieldname, 'unknown_field');
        const handle = await openUnnamed(config);
        opened.push(handle);
        body[fieldname] = await receive(part.file, handle, { spec, field: fieldname, name: part.filename });
      } else {
        if (spec) throw invalid(fieldname, 'file_expected');
        textBytes += typeof part.value === 'string' ? Buffer.byteLength(part.value) : 0;
        if (part.valueTruncated || part.fieldnameTruncated || textBytes > fieldBytesMax)
          throw new ApiError('too_large');
        body[fieldname] = valueOf(
          part.value,
          Object.hasOwn(fields, fieldname) ? fields[fieldname] : undefined,
        );
      }
    }
    for (const [field, { json }] of specs)
      if (json && body[field] !== undefined)
        body[field] = await readJson(request, field, body[field] as UploadedFile);
    // What is logged of the call, and what its Idempotency-Key is for.
    request.body = described(body);
    return { body, close };
  } catch (error) {
    await close();
    letGo(request);
    throw asRefusal(error);
  }
}

const limitsOf = (specs: ReadonlyMap<string, FileSpec>, fieldSize: number) => ({
  files: specs.size,
  fields: fieldsMax,
  parts: specs.size + fieldsMax,
  fieldSize,
  fieldNameSize: 100,
  headerPairs: 20,
  // Each is counted by its own limit; this one ends no file early.
  fileSize: Math.max(...[...specs.values()].map(({ bytesMax }) => bytesMax)) + 1,
});

/** Without a name from the start: however this process ends, the disk has it back. */
async function openUnnamed({ dataDir }: Config): Promise<FileHandle> {
  const folder = join(dataDir, 'uploads');
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

interface Expected {
  spec: FileSpec;
  field: string;
  name: string;
}

async function receive(source: Readable, handle: FileHandle, expected: Expected): Promise<UploadedFile> {
  const { spec, field, name } = expected;
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > spec.bytesMax)
      throw new ApiError('too_large', [
        { path: field, issue: `file_too_large:${Math.floor(spec.bytesMax / 1024)}` },
      ]);
    await handle.write(chunk);
  }
  const type = await fileTypeOf(handle, bytes);
  if (type === undefined || !spec.types.includes(type)) throw invalid(field, issueOf(spec.types));
  const read = async () => {
    const content = new Uint8Array(bytes);
    for (let at = 0; at < bytes;) at += (await handle.read(content, at, bytes - at, at)).bytesRead;
    return content;
  };
  return { name: name.slice(0, 200), bytes, type, read };
}

const issueOf = (types: readonly FileType[]) => (types.includes('mmdb') ? 'ip_file_format' : 'file_type');

/** A text stands for itself where its field takes it, else for the JSON that it is. */
function valueOf(value: unknown, field: z.core.$ZodType | undefined): unknown {
  if (typeof value !== 'string' || isNestedTooDeeply(value)) return value;
  if (field && z.safeParse(field, value).success) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

async function readJson(request: FastifyRequest, field: string, file: UploadedFile): Promise<unknown> {
  const text = Buffer.from(await file.read()).toString('utf8');
  if (isNestedTooDeeply(text)) throw invalid(field, 'json_depth');
  const parse = request.server.getDefaultJsonParser('error', 'error');
  return new Promise((resolve, reject) => {
    void parse(request, text.replace(/^\uFEFF/, ''), (error, value) =>
      error ? reject(invalid(field, 'file_json')) : resolve(value),
    );
  });
}

const described = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, isFile(value) ? { name: value.name } : value]),
  );
const isFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && 'read' in value && typeof value.read === 'function';

/** What the reader of forms says of a form is the sender's fault; what the disk says is ours. */
const asRefusal = (error: unknown): unknown =>
  error instanceof ApiError || (error instanceof Error && 'syscall' in error)
    ? error
    : new ApiError('malformed_body');

/**
 * The rest of a form that was refused is read to nowhere, so that its sender comes to read the answer: who is cut off while
 * sending sees a broken connection. A sender that goes on and on is ended by the server's limit of time for a request.
 */
function letGo({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}
