import type { ExplainAnswer, RequestStep, RequestTrace, TraceStep } from '@breakwater/contract';

/** At which steps a node says something else than the stored configuration. What only a node can know does not count. */
export function differingSteps(node: RequestTrace, model: RequestTrace): RequestStep[] {
  const ofModel = new Map(model.steps.map((step) => [step.step, comparable(step)]));
  return node.steps.filter((step) => ofModel.get(step.step) !== comparable(step)).map(({ step }) => step);
}

function comparable({ outcome, reason, level, facts }: TraceStep): string {
  const lasting = facts.filter(({ live }) => live !== true).map(({ name, value }) => [name, value]);
  return JSON.stringify([outcome, reason, level, lasting]);
}

const ofOthers = [
  ['level', 'level_revision'],
  ['address_list', 'list_revision'],
  ['ip_data', 'ip_data_revision'],
  ['known_vulnerability', 'known_vulnerability_revision'],
] as const;

/** Why they differ, as far as the revisions say. */
export function causesOf(
  node: RequestTrace,
  model: RequestTrace,
  differing: readonly RequestStep[],
): ExplainAnswer['causes'] {
  const causes: ExplainAnswer['causes'] = [];
  if (node.revision !== model.revision) causes.push('site_revision');
  for (const [kind, cause] of ofOthers) {
    const revisions = ({ documents }: RequestTrace) =>
      documents.flatMap((each) => (each.kind === kind ? `${each.key} ${each.revision}` : [])).join();
    if (revisions(node) !== revisions(model)) causes.push(cause);
  }
  return differing.length > 0 && causes.length === 0 ? ['unknown'] : causes;
}
