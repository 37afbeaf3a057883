import { decodeEscapes, decodePercent, decodeWide, hasPercent } from './decode-bytes.ts';
import { decodeBase64Text, decodeEntities, decodeUtf7, dropNul, unquoted } from './decode-text.ts';
import { byteBits, bytesOf } from './marks.ts';

/** A text and what was decoded to get it. */
export interface Reading {
  text: string;
  steps: string[];
}

/** How much one request may make the detectors read, in bytes; what goes beyond is said to be capped. */
export interface Budget {
  bytes: number;
  isCapped: boolean;
}

const depthMax = 3;
const readingsMax = 12;

const stepNames = ['percent', 'entities', 'escapes', 'wide', 'utf7', 'base64', 'nul', 'unquote'];

/** All readings of a text that the software behind may come to, itself first, each only once. */
export function readingsOf(text: string, budget: Budget): Reading[] {
  const readings: Reading[] = [{ text, steps: [] }];
  for (let index = 0; index < readings.length; index++) {
    const reading = readings[index]!;
    if (reading.steps.length >= depthMax) continue;
    const bytes = bytesOf(reading.text);
    for (const step of stepNames) {
      const next = decodeStep(step, reading.text, bytes);
      if (next === reading.text || isKnown(readings, next)) continue;
      if (readings.length >= readingsMax || next.length > budget.bytes) {
        budget.isCapped = true;
        return readings;
      }
      budget.bytes -= next.length;
      readings.push({ text: next, steps: [...reading.steps, step] });
    }
  }
  return readings;
}

function isKnown(readings: Reading[], text: string): boolean {
  for (const reading of readings) if (reading.text === text) return true;
  return false;
}

function decodeStep(step: string, text: string, bytes: number): string {
  const has = (bits: number) => (bytes & bits) !== 0;
  if (step === 'percent') return has(byteBits.percent) && hasPercent(text) ? decodePercent(text, false) : text;
  if (step === 'entities') return has(byteBits.ampersand) ? decodeEntities(text) : text;
  if (step === 'escapes') return has(byteBits.backslash) ? decodeEscapes(text) : text;
  if (step === 'wide') return has(byteBits.high) ? decodeWide(text) : text;
  if (step === 'utf7') return has(byteBits.plus) ? decodeUtf7(text) : text;
  if (step === 'nul') return has(byteBits.nul) ? dropNul(text) : text;
  if (step === 'unquote') return has(byteBits.quote) ? unquoted(text) : text;
  // Base64 has no blanks and nothing special but these.
  return has(~byteBits.ofBase64) ? text : decodeBase64Text(text);
}
