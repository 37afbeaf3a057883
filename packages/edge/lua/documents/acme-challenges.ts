import type { AcmeChallengeDocument } from '@breakwater/contract/edge-document';
import { decodeJson } from '../lib/json.ts';
import { fieldProblem } from './field-problem.ts';
import * as store from './store.ts';

/** Answers to challenges of certificate authorities, by host and token, for as long as their document is there. */

const folder = '/.well-known/acme-challenge/';

export function challengeProblem(document: unknown): string | undefined {
  const problem = fieldProblem('acme_challenge', document, { order_id: 'number', answers: 'table' });
  if (problem !== undefined) return problem;
  for (const [host, answers] of pairs((document as AcmeChallengeDocument).answers)) {
    if (type(answers) !== 'table') return `acme_challenge: ${host} has no answers`;
    for (const [token, answer] of pairs(answers))
      if (type(answer) !== 'string') return `acme_challenge: no answer to ${token}`;
  }
  return undefined;
}

/** In place of those that the document before it had. */
export function putAnswers(key: string, document: AcmeChallengeDocument): string | undefined {
  if (`${document.order_id}` !== key) return `the document is of order ${document.order_id}`;
  dropAnswers(key);
  let isComplete = true;
  for (const [host, answers] of pairs(document.answers))
    for (const [token, answer] of pairs(answers))
      isComplete = store.putAnswer(host, token, answer) && isComplete;
  return isComplete ? undefined : "the node's memory for documents is full";
}

export function dropAnswers(key: string): void {
  const body = store.bodyOf('acme_challenge', key);
  if (body === undefined) return;
  const [before] = decodeJson(body);
  for (const [host, answers] of pairs((before as AcmeChallengeDocument).answers))
    for (const [token] of pairs(answers)) store.removeAnswer(host, token);
}

/** To a request that `isAcmeChallenge`; nothing for a token that is not known here, which may be the origin's own. */
export function challengeAnswer(host: string, target: string): string | undefined {
  return store.answerOf(host, string.sub(target, folder.length + 1));
}
