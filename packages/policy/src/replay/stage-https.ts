import { evaluateCondition, prepareCondition } from '../conditions/condition.ts';
import { factsOf } from '../conditions/request-facts.ts';
import { isForced } from '../http/tls.ts';
import { bounded, lookupsOfLine, noReads, readCondition, requestOfLine } from './logged.ts';
import { passed, untold, type PrepareStage } from './stage.ts';

/** The redirect to HTTPS, which comes before protection. */
export const httpsStage: PrepareStage = (document, log) => {
  const force = document.certificate_settings.force_https;
  if (force === undefined || !force.enabled) return undefined;
  const reads = noReads();
  reads.columns.scheme = true;
  reads.columns.host = true;
  const { condition } = force;
  if (condition !== undefined) readCondition(reads, condition, log);
  const most = condition && prepareCondition(bounded(condition, log, true));
  const least = condition && prepareCondition(bounded(condition, log, false));
  return {
    reads,
    counts: false,
    decide: (line, { tryRegex, lookups }) => {
      if (line.scheme === 'https' || !isForced(force, line.host)) return passed();
      const facts = factsOf(requestOfLine(line), lookupsOfLine(line, lookups));
      const asked = { facts, tryRegex, decidedBy: 0 };
      if (most !== undefined && evaluateCondition(most, asked) === 0) return passed();
      if (least !== undefined && evaluateCondition(least, asked) === 0) return untold(reads.unlogged ?? '');
      return passed('redirect', 'force_https');
    },
  };
};
