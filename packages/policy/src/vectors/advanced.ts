import type { ErrorPage } from '@breakwater/contract/site-config/advanced-config';
import { chooseErrorPage, fillPage, isPersonal } from '../site/error-page.ts';
import { parseIsoTime } from '../http/date.ts';
import { parseSnippet, renderSnippet } from '../site/nginx-snippet.ts';
import { runDetectVector } from './detect.ts';
import { runLeakVector } from './leak.ts';

/** The decisions of a site's advanced settings; nothing for another. */
export function runAdvancedVector(decision: string, input: Record<string, unknown>): unknown {
  if (decision === 'iso-time') return { seconds: parseIsoTime(input.text as string) ?? -1 };
  if (decision === 'nginx-snippet') return snippet(input.text as string);
  if (decision === 'error-page') return errorPage(input as never);
  if (decision === 'page-text') return pageText(input as never);
  if (decision === 'detect') return runDetectVector(input);
  if (decision === 'leak') return runLeakVector(input as never);
  return undefined;
}

function snippet(text: string): unknown {
  const { directives, problem } = parseSnippet(text);
  return problem ?? { text: renderSnippet(directives) };
}

/** `suiting`: the places of pages whose condition does. */
function errorPage(input: {
  pages: Partial<ErrorPage>[];
  status: number;
  path: string;
  suiting?: number[];
}): unknown {
  const pages: ErrorPage[] = [];
  for (const { statuses, only_paths: only, except_paths: except, enabled, condition } of input.pages)
    pages.push({
      statuses: statuses ?? [],
      only_paths: only ?? [],
      except_paths: except ?? [],
      enabled: enabled ?? true,
      source: 'body',
      body: 'page',
      content_type: 'text/html',
      redirect_url: '',
      new_status: 0,
      ...(condition === undefined ? {} : { condition }),
    });
  const suits = (index: number) => {
    for (const each of input.suiting ?? []) if (each === index) return true;
    return false;
  };
  return { index: chooseErrorPage(pages, input.status, input.path, suits) };
}

function pageText({ body, values }: { body: string; values: Record<string, string> }): unknown {
  return { text: fillPage(body, values).join(''), personal: isPersonal(body) };
}
