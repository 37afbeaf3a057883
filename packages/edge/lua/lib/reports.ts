/**
 * What happened at this node, for the agent to tell the control plane. Each report has a number; the agent says up to which it has
 * them safe, and asks for what follows, so that none is lost when it dies in between.
 */

const waitingMax = 5000;

export function noteReport(reports: SharedDict, report: string): void {
  const last = reports.incr('last', 1, 0)!;
  const first = (reports.get('first') as number | undefined) ?? 1;
  // No agent asks: the oldest are no longer told.
  if (last - first >= waitingMax) reports.set('first', first + 1);
  const [isKept] = reports.safe_set(`made ${last}`, report);
  if (!isKept) reports.incr('lost', 1, 0);
}

/** What was reported after a number, and what to say next time; what is up to there is forgotten. */
export function takeReports(reports: SharedDict, told: number, max: number): { lines: string; last: number } {
  let first = (reports.get('first') as number | undefined) ?? 1;
  const last = (reports.get('last') as number | undefined) ?? 0;
  for (; first <= told && first <= last; first++) reports.delete(`made ${first}`);
  reports.set('first', first);
  const found: string[] = [];
  let number = first;
  for (; number <= last && found.length < max; number++) {
    const report = reports.get(`made ${number}`) as string | undefined;
    if (report !== undefined) found.push(report);
  }
  return { lines: table.concat(found, '\n'), last: number - 1 };
}
