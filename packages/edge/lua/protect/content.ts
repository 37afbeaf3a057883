import { detectContent } from '@breakwater/policy/detect/detect';
import { entryOf } from '../site/host.ts';
import { noted, section, type Inspection } from './inspect.ts';
import { waitAsWanted } from './delay.ts';
import { noteProtection, noteRefusal } from './note.ts';

/** The detectors of attacks, on what a request carries: in a place of its own, since it has to be read first. */

/** As much as is taken into memory: `client_body_buffer_size` of that place. */
export const heldBytesMax = 1_048_576;

/** Before the cache: lets a request wait that is to, and sends it on if its content is harmless, or shows why not. */
export function inspectContent(): void {
  const variables = ngx.var;
  variables.edge_stage = '@page';
  waitAsWanted();
  const inspection =
    variables.edge_judges === '' ? undefined : entryOf(variables.host!)?.site.protection?.inspection;
  const page = inspection && pageOfContent(inspection);
  if (page === undefined) ngx.exec(variables.edge_then!);
  else {
    variables.edge_page = page;
    // What is left of it is not read.
    if (page !== 'blocked') variables.edge_stage = '@page_and_close';
    ngx.exit(421);
  }
}

function pageOfContent(inspection: Inspection): string | undefined {
  const variables = ngx.var;
  const length = tonumber(variables.http_content_length);
  if (length === undefined || length > heldBytesMax) return pageOfLarge(inspection, length);
  ngx.req.read_body();
  const content = ngx.req.get_body_data();
  if (content === undefined) return undefined;
  const isCut = content.length > inspection.bodyBytes;
  const verdict = detectContent(
    {
      method: '',
      target: variables.request_uri!,
      headers: [{ name: 'content-type', value: variables.http_content_type ?? '' }],
      body: isCut ? string.sub(content, 1, inspection.bodyBytes) : content,
      bodyIsCut: isCut,
      time: ngx.time(),
    },
    inspection.settings,
  );
  if (noted(verdict)) return 'blocked';
  const isUnread = isCut || verdict.capped.length > 0 || variables.http_content_encoding !== undefined;
  if (isUnread) noteProtection(section, 'unread', 'observe');
  return undefined;
}

/** What is not held in memory streams on as it comes, and the log says that nobody looked at it, or is refused. */
function pageOfLarge({ largeBodies }: Inspection, length: number | undefined): string | undefined {
  if (largeBodies === 'pass') {
    noteProtection(section, 'unread', 'observe');
    return undefined;
  }
  const page = length === undefined ? 'length_required' : 'content_too_large';
  noteRefusal(section, page, 'block');
  return page;
}
