import type { SpeedOptimize } from '@breakwater/contract/site-config/speed-optimize';
import { parseDirectives } from './cache-control.ts';
import { mediaType } from './content-type.ts';

export interface CompressibleAnswer {
  status: number;
  contentType?: string;
  contentEncoding?: string;
  cacheControl?: string;
  /** Bytes, where the origin states them. */
  length?: number;
  /** The request's, as the edge reduced it. */
  acceptEncoding?: string;
  /** The node has nginx's module for it. */
  hasBrotli: boolean;
}

export interface CompressionDecision {
  /** The answer is one of several by `Accept-Encoding`. */
  varies: boolean;
  /** What it is compressed with; absent: with nothing. */
  coding?: 'br' | 'gzip';
}

/** The statuses that nginx compresses. A part of something is never. */
const statuses: Record<string, boolean> = { '200': true, '403': true, '404': true };

/** Whether and how the edge compresses an answer. It never touches one that is encoded or says `no-transform` (RFC 9110 §7.7). */
export function decideCompression(config: SpeedOptimize, answer: CompressibleAnswer): CompressionDecision {
  const none: CompressionDecision = { varies: false };
  if (statuses[`${answer.status}`] !== true) return none;
  if (answer.contentEncoding !== undefined && answer.contentEncoding !== '') return none;
  if (answer.length !== undefined && answer.length < config.min_length_bytes) return none;
  if (!contains(config.types, mediaType(answer.contentType ?? ''))) return none;
  if (parseDirectives(answer.cacheControl ?? '')['no-transform'] !== undefined) return none;
  const canBrotli = config.brotli && answer.hasBrotli;
  if (!canBrotli && !config.gzip) return none;
  const accepted = (answer.acceptEncoding ?? '').split(', ');
  if (canBrotli && contains(accepted, 'br')) return { varies: true, coding: 'br' };
  if (config.gzip && contains(accepted, 'gzip')) return { varies: true, coding: 'gzip' };
  return { varies: true };
}

function contains(list: string[], wanted: string): boolean {
  for (const item of list) if (item === wanted) return true;
  return false;
}
