import * as z from 'zod';

/**
 * Files in and out, for routes with `transport: 'file'`. Up: a form of the type `multipart/form-data` whose fields are those of
 * `body`; a field that is marked here is sent as a file, any other as a text, or as JSON where it is none. Down: a route whose
 * response is `fileAnswer`.
 */

/** What a file is found to be by what it holds; its name and the type that a sender states say nothing. */
export const fileTypes = ['mmdb', 'gzip', 'json'] as const;
export type FileType = (typeof fileTypes)[number];

export interface FileSpec {
  types: readonly FileType[];
  bytesMax: number;
  /** The value of a JSON file; absent: the handler reads the file itself. */
  json?: z.core.$ZodType;
}

/** A file as a handler gets it. It is gone when the call has ended. */
export interface UploadedFile {
  /** As its sender calls it; shown, and used for nothing else. */
  name: string;
  bytes: number;
  type: FileType;
  read(): Promise<Uint8Array>;
}

const uploads = new WeakMap<z.core.$ZodType, FileSpec>();

/** A field that is a file. A sender gives a `Blob`, a handler gets an `UploadedFile`. */
export function uploadedFile(spec: Omit<FileSpec, 'json'>): z.ZodType<UploadedFile, Blob> {
  const schema = z.custom<UploadedFile>((value) => typeof value === 'object' && value !== null);
  uploads.set(schema, spec);
  return schema as unknown as z.ZodType<UploadedFile, Blob>;
}

/** A field that is sent as a JSON file; its handler gets the value, checked by the schema, with paths below the field. */
export function jsonFile<Schema extends z.ZodType>(schema: Schema, bytesMax: number): Schema {
  const field = schema.clone();
  uploads.set(field, { types: ['json'], bytesMax, json: schema });
  return field;
}

/** How a field is sent as a file; undefined where it is none. */
export const fileSpecOf = (schema: z.core.$ZodType): FileSpec | undefined => uploads.get(schema);

/** The fields of a body that are sent as files. */
export function filesOf(body: z.core.$ZodType | undefined): ReadonlyMap<string, FileSpec> {
  if (!(body instanceof z.ZodObject)) return new Map();
  return new Map(
    Object.entries(body.shape as Record<string, z.core.$ZodType>).flatMap(([name, field]) => {
      const spec = fileSpecOf(field);
      return spec ? [[name, spec] as const] : [];
    }),
  );
}

/** A file that a handler answers with. `content` is sent as it comes, in pieces of any size. */
export interface FileAnswer {
  name: string;
  content_type: string;
  content: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

const answers = new WeakMap<z.core.$ZodType, readonly string[]>();

/** The response of a route that answers with a file of one of these media types. */
export function fileAnswer(...types: string[]): z.ZodType<FileAnswer> {
  const schema = z.custom<FileAnswer>((value) => typeof value === 'object' && value !== null);
  answers.set(schema, types);
  return schema;
}

/** The media types of a file answer; undefined where the response is JSON. */
export const answerTypesOf = (response: z.core.$ZodType): readonly string[] | undefined =>
  answers.get(response);
