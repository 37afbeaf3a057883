import { maintenance as maintenanceSchema } from '@breakwater/contract';
import { toByteString } from '@breakwater/policy';
import { parseSnippet } from '@breakwater/policy/site/nginx-snippet';
import { isDeepStrictEqual } from 'node:util';
import { invalid } from '../../api-error.ts';
import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

const openForAll = maintenanceSchema.parse({});

export const advancedConfigSection = defineSection('advanced_config', {
  /** What was allowed once is told with the next change of the section; until then nodes leave that line out. */
  check({ before, after, path, alone }) {
    const { snippet } = after.advanced_config;
    if (alone || before.advanced_config.snippet !== snippet) checkSnippet(snippet, `${path}.snippet`);
  },
  uses: askedByRules,
  publish({ maintenance, snippet }) {
    const alone = {
      ...(isDeepStrictEqual(maintenance, openForAll) ? {} : { maintenance }),
      ...(snippet === '' ? {} : { snippet }),
    };
    return Object.keys(alone).length === 0 ? {} : { advanced_config: alone };
  },
});

/** Refuses directives for nginx that are not on the list, by their line: as strictly as nodes do. */
export function checkSnippet(snippet: string, path: string): void {
  const { problem } = parseSnippet(toByteString(snippet));
  if (problem) throw invalid(path, `${problem.reason as 'snippet_syntax'}:${problem.line}`);
}
