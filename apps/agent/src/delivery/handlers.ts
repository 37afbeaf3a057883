import { cacheFolders, type EdgeOptions } from '@breakwater/edge/process/edge-process';
import type { LogOutput } from '../logs/log-output.ts';
import type { EdgeControl } from '../nginx/edge-control.ts';
import type { DirectiveKeeper } from '../nginx/site-directives.ts';
import { listStored } from '../nginx/stored-list.ts';
import { visit } from '../nginx/visit.ts';
import type { CommandHandlers } from './commands.ts';

/** What this node does when the control plane asks. */
export function handlersOf(
  directives: DirectiveKeeper,
  control: EdgeControl,
  output: LogOutput,
  { edge, edgeDir }: { edge: Omit<EdgeOptions, 'edgeDir'>; edgeDir: string },
): CommandHandlers {
  return {
    try_snippet: async ({ site_id: siteId, snippet }) => {
      const complaint = await directives.complaintAbout(siteId, snippet);
      return complaint === undefined ? {} : { refused: complaint.slice(0, 2000) };
    },
    explain: (asked) => control.explain(asked),
    visit: (asked) => visit(edge, asked),
    list_stored: (asked) =>
      listStored(
        cacheFolders(edge, edgeDir).map(({ folder }) => folder),
        asked,
      ),
    test_log_shipping: async () => ({ error: await output.test() }),
  };
}
