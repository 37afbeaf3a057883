import { runVector, type Vector } from '@breakwater/policy/vectors/vectors';
import { digests } from './lib/digest.ts';
import { decodeJson, encodeJson } from './lib/json.ts';
import { findRegex, regexOptions } from './lib/regex.ts';

/** The entry of the bundle that the tests load: answers the vectors of one decision with what the compiled policy says. */
export function runVectors(decision: string, json: string): string {
  const [vectors, problem] = decodeJson(json);
  if (problem !== undefined) return encodeJson({ problem });
  const answers: unknown[] = [];
  for (const vector of vectors as Vector[])
    answers.push(runVector(decision, vector.input, matchRegex, digests, findRegex));
  return encodeJson(answers);
}

function matchRegex(subject: string, pattern: string, insensitive: boolean): boolean {
  return ngx.re.find(subject, pattern, insensitive ? `${regexOptions}i` : regexOptions)[0] !== undefined;
}
