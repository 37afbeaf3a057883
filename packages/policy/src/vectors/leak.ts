import { leaksIn } from '../detect/leak.ts';
import { leakTypeOf } from '../detect/leak-text.ts';

interface LeakCase {
  type?: string;
  path?: string;
  status?: number;
  /** In pieces, so that no tool takes an example for a secret of this project. */
  body: string[];
}

/** What is found in an answer: kinds with their scores. */
export function runLeakVector({ type: contentType, path = '/', status = 200, body }: LeakCase): unknown {
  const type = leakTypeOf(contentType, path);
  if (type === undefined) return { found: '' };
  const found: string[] = [];
  for (const { kind, score } of leaksIn({ type, status, path, text: body.join(''), isWhole: true }))
    found.push(`${kind} ${score}`);
  return { found: found.join(' ') };
}
