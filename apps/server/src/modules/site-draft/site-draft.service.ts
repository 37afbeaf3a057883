import { draftsMax, type DraftNote, type DraftSource, type SiteDraft } from '@breakwater/contract';
import { ApiError, invalid } from '../../api-error.ts';
import { isNestedTooDeeply } from '../../json-depth.ts';
import { goedgeDrafts, npmDrafts } from './json-drafts.ts';
import { nginxDrafts } from './nginx-drafts.ts';
import { NginxSyntaxError } from './nginx-tokens.ts';
import { zoneDrafts } from './zone-drafts.ts';

/** Reads sites from the configuration of another system. Throws `invalid_input` at `text` for what cannot be read. */
export function readDrafts(source: DraftSource, text: string): { drafts: SiteDraft[]; notes: DraftNote[] } {
  const found = read(source, text);
  if (found.drafts.length > draftsMax) throw invalid('text', 'too_long');
  if (found.drafts.length === 0 && found.notes.length === 0) throw invalid('text', 'draft_none');
  return found;
}

function read(source: DraftSource, text: string): { drafts: SiteDraft[]; notes: DraftNote[] } {
  if (source === 'cloudflare') return zoneDrafts(text);
  if (source === 'nginx')
    try {
      return nginxDrafts(text);
    } catch (error) {
      if (error instanceof NginxSyntaxError)
        throw new ApiError('invalid_input', [
          { path: 'text', issue: `draft_syntax:${error.line}`, detail: `${error.line}:${error.column}` },
        ]);
      throw error;
    }
  const data = parsed(text);
  return source === 'npm' ? npmDrafts(data) : goedgeDrafts(data);
}

function parsed(text: string): unknown {
  if (isNestedTooDeeply(text)) throw invalid('text', 'json_depth');
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('text', 'draft_json');
  }
}
