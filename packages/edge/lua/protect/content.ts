import { detectContent } from '@breakwater/policy/detect/detect';
import type { HeaderLine, Verdict } from '@breakwater/policy/detect/types';
import { trimOws } from '@breakwater/policy/lib/text';
import { contentRateMin, readContentAt, tooSlowPlace } from '../lib/content-rate.ts';
import { heldBytesMax } from '../lib/held-content.ts';
import { inflated } from '../lib/inflate.ts';
import { entryOf } from '../site/host.ts';
import { allLines, noted, section, settingsForContent, type Inspection } from './inspect.ts';
import { holdSubmission } from '../front/submission.ts';
import { waitAsWanted } from './delay.ts';
import { sendToJudge } from './to-judge.ts';
import { noteProtection, noteRefusal } from './note.ts';

/** The detectors of attacks, on what a request carries: in a place of its own, since it has to be read first. */

/** Before the cache: lets a request wait that is to, and sends it on if its content is harmless, or shows why not. Some are read to be searched. */
export function inspectContent(): void {
  const variables = ngx.var;
  variables.edge_stage = '@page';
  waitAsWanted();
  const site = entryOf(variables.host!)?.site;
  const rate = site?.contentRateMin ?? contentRateMin;
  const inspection = variables.edge_judges === '' ? undefined : site?.protection?.inspection;
  const page = inspection && pageOfContent(inspection, rate);
  if (page === tooSlowPlace || (page === undefined && !holdSubmission(rate))) ngx.exec(tooSlowPlace);
  else if (page === undefined) ngx.exec(variables.edge_then!);
  else {
    variables.edge_page = page;
    // What is left of it is not read.
    if (page !== 'blocked') variables.edge_stage = '@page_and_close';
    ngx.exit(421);
  }
}

const typeOfContent = (): HeaderLine[] => [{ name: 'content-type', value: ngx.var.http_content_type ?? '' }];

function pageOfContent(inspection: Inspection, rate: number): string | undefined {
  const length = tonumber(ngx.var.http_content_length);
  if (length === undefined || length > heldBytesMax) return pageOfLarge(inspection, length);
  if (!readContentAt(rate)) return tooSlowPlace;
  const content = ngx.req.get_body_data();
  if (content === undefined) return undefined;
  const isLonger = content.length > inspection.bodyBytes;
  const text = isLonger ? string.sub(content, 1, inspection.bodyBytes) : content;
  return judgedPage(inspection, { target: ngx.var.request_uri!, text, isLonger }, content);
}

/** What of a request's content is judged. */
export interface Content {
  text: string;
  /** There is more than that. */
  isLonger: boolean;
}
/** And what its visitor asked for. */
interface ContentOfTarget extends Content {
  target: string;
}

/** `packed`: what there is, if that is more, of what is to be unpacked. */
export function judgedPage(
  inspection: Inspection,
  content: ContentOfTarget,
  packed = content.text,
): string | undefined {
  const verdict = verdictOf(inspection, content);
  if (noted(verdict)) return 'blocked';
  const coding = codingOf();
  if (coding !== undefined) return pageOfPacked(inspection, content.target, packed, coding);
  if (content.isLonger || verdict.capped.length > 0) noteProtection(section, 'unread', 'observe');
  return undefined;
}

/** What says to be packed was judged as it is, for software that does not look at that; and is judged as it reads unpacked. */
function pageOfPacked(
  inspection: Inspection,
  target: string,
  content: string,
  coding: string,
): string | undefined {
  const unpacked = inflated(content, coding, inspection.bodyBytes);
  const verdict =
    unpacked && verdictOf(inspection, { target, text: unpacked.text, isLonger: !unpacked.isWhole });
  if (verdict !== undefined && noted(verdict)) return 'blocked';
  if (verdict === undefined || verdict.capped.length > 0) noteProtection(section, 'unread', 'observe');
  return undefined;
}

function verdictOf(inspection: Inspection, { target, text, isLonger }: ContentOfTarget): Verdict {
  const variables = ngx.var;
  const settings = settingsForContent(inspection, target);
  return detectContent(
    {
      method: variables.request_method!,
      target,
      headers: settings.known === undefined ? typeOfContent() : allLines(),
      body: text,
      bodyIsCut: isLonger,
      time: ngx.time(),
    },
    settings,
  );
}

/** How the content says to be packed: by all lines of that name, since it is not known which one the software behind reads. */
function codingOf(): string | undefined {
  const said = ngx.req.get_headers(0)['content-encoding'];
  if (said === undefined) return undefined;
  const all = type(said) === 'table' ? table.concat(said as string[], ',') : (said as string);
  const codings: string[] = [];
  for (const written of all.toLowerCase().split(',')) {
    const coding = trimOws(written);
    if (coding !== '' && coding !== 'identity') codings[codings.length] = coding;
  }
  return codings.length === 0 ? undefined : table.concat(codings, ' ');
}

/** What is not held in memory streams on as it comes, and the log says that nobody looked at it, or is refused. */
function pageOfLarge({ largeBodies }: Inspection, length: number | undefined): string | undefined {
  if (largeBodies === 'judge') {
    sendToJudge();
    return undefined;
  }
  if (largeBodies === 'pass') {
    noteProtection(section, 'unread', 'observe');
    return undefined;
  }
  const page = length === undefined ? 'length_required' : 'content_too_large';
  noteRefusal(section, page, 'block');
  return page;
}
