import { decodeEscapes, decodePercent, decodeWide, hasPercent } from './decode-bytes.ts';
import { decodeBase64Text, decodeEntities, decodeUtf7, dropNul, unquoted } from './decode-text.ts';
import { byteBits, bytesOf } from './marks.ts';

/** A text and what was decoded to get it. */
export interface Reading {
  text: string;
  steps: string[];
  /** Bits of `byteBits` that occur. */
  bytes: number;
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
export function readingsOf(text: string, bytes: number, budget: Budget): Reading[] {
  const readings: Reading[] = [{ text, steps: [], bytes }];
  if (!mayHide(text, bytes)) return readings;
  for (let index = 0; index < readings.length; index++) {
    const reading = readings[index]!;
    if (reading.steps.length >= depthMax) continue;
    if (!mayHide(reading.text, reading.bytes)) continue;
    for (const step of stepNames) {
      const next = decodeStep(step, reading.text, reading.bytes);
      if (next === reading.text || isKnown(readings, next)) continue;
      if (readings.length >= readingsMax || next.length > budget.bytes) {
        budget.isCapped = true;
        return readings;
      }
      budget.bytes -= next.length;
      readings.push({ text: next, steps: [...reading.steps, step], bytes: bytesOf(next) });
    }
  }
  return readings;
}

function isKnown(readings: Reading[], text: string): boolean {
  for (const reading of readings) if (reading.text === text) return true;
  return false;
}

const hiding =
  byteBits.percent |
  byteBits.ampersand |
  byteBits.backslash |
  byteBits.high |
  byteBits.plus |
  byteBits.nul |
  byteBits.quote;

/** Whether any of the steps may change a text. */
function mayHide(text: string, bytes: number): boolean {
  return (bytes & hiding) !== 0 || ((bytes & ~byteBits.ofBase64) === 0 && text.length >= 8);
}

/** Whether a text of such bytes is base64 of another. */
export const mayStandForText = (text: string, bytes: number): boolean =>
  (bytes & ~byteBits.ofBase64) === 0 && decodeBase64Text(text) !== text;

function decodeStep(step: string, text: string, bytes: number): string {
  if (step === 'percent')
    return (bytes & byteBits.percent) !== 0 && hasPercent(text) ? decodePercent(text, false) : text;
  if (step === 'entities') return (bytes & byteBits.ampersand) !== 0 ? decodeEntities(text) : text;
  if (step === 'escapes') return (bytes & byteBits.backslash) !== 0 ? decodeEscapes(text) : text;
  if (step === 'wide') return (bytes & byteBits.high) !== 0 ? decodeWide(text) : text;
  if (step === 'utf7') return (bytes & byteBits.plus) !== 0 ? decodeUtf7(text) : text;
  if (step === 'nul') return (bytes & byteBits.nul) !== 0 ? dropNul(text) : text;
  if (step === 'unquote') return (bytes & byteBits.quote) !== 0 ? unquoted(text) : text;
  // Base64 has no blanks and nothing special but these.
  return (bytes & ~byteBits.ofBase64) !== 0 ? text : decodeBase64Text(text);
}
