import type { BasicAuth } from '@breakwater/contract/site-config/basic-auth';
import type { Cors } from '@breakwater/contract/site-config/cors';
import type { StepReason } from '@breakwater/contract/request-steps';
import { isUnder } from '../access/access.ts';
import { checkBasicAuth } from '../access/basic-auth.ts';
import { preflightFields } from '../access/cors.ts';
import { addStep, fact, linesOf, type Trace } from './trace.ts';
import { pathForms } from '../http/path-forms.ts';
import { splitTarget } from '../http/path.ts';
import { judgeTarget } from '../http/request-path.ts';
import { isAcmeChallenge } from '../http/tls.ts';

/** Whether the request is a browser's question for a page of another site, which is answered here. */
export function explainCors(trace: Trace): void {
  const { request, site } = trace;
  // Documents from before it came say nothing of it.
  const settings = site.document.access_control?.cors as Cors | undefined;
  if (settings === undefined || !settings.enabled) {
    addStep(trace, 'cors', 'off');
    return;
  }
  const line = (name: string): string | undefined => {
    const lines = linesOf(request, name);
    return lines.length === 0 ? undefined : lines.join(', ');
  };
  const origin = line('origin');
  const method = line('access-control-request-method');
  const isPreflight = request.method === 'OPTIONS' && origin !== undefined && method !== undefined;
  if (!isPreflight || isLetThrough(trace) === 'own_page') {
    addStep(trace, 'cors', 'passed', 'no_preflight');
    return;
  }
  const headers = line('access-control-request-headers');
  const isAllowed = preflightFields(settings, { origin, method, headers }) !== undefined;
  addStep(trace, 'cors', 'stopped', isAllowed ? 'preflight_allowed' : 'preflight_refused', [
    fact('status', isAllowed ? 204 : 403),
  ]);
}

/** Whether the request gives a name and a password that the site knows, where it asks for them. */
export function explainLogin(trace: Trace): void {
  const { request, site, tools } = trace;
  const control = site.document.access_control;
  // Documents from before passwords say nothing of them.
  const settings = control?.basic_auth as BasicAuth | undefined;
  if (control === undefined || settings === undefined || !settings.enabled) {
    addStep(trace, 'basic_auth', 'off');
    return;
  }
  const free = isLetThrough(trace);
  if (free !== undefined) {
    addStep(trace, 'basic_auth', 'passed', free);
    return;
  }
  const { auth_paths: only, open_paths: except } = control;
  if (!isUnder(only, except, pathForms(splitTarget(trace.target).path), true)) {
    addStep(trace, 'basic_auth', 'passed', 'open_path');
    return;
  }
  const lines = linesOf(request, 'authorization');
  const field = lines.length === 0 ? undefined : lines.join(', ');
  const state = checkBasicAuth(settings.users, field, tools.hmacHex);
  if (state === 'good') addStep(trace, 'basic_auth', 'passed', 'auth_good');
  else addStep(trace, 'basic_auth', 'stopped', `auth_${state}`, [fact('status', 401)]);
}

function isLetThrough({ request: { target } }: Trace): StepReason | undefined {
  if (isAcmeChallenge(target)) return 'acme_challenge';
  return judgeTarget(target) === 'own' ? 'own_page' : undefined;
}
