import type { matcherRuleSection, MatcherRuleSection } from '@breakwater/contract';
import type { UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';

/** A form that has matcher rules as its `rules`, perhaps among other fields. */
export type MatcherForm = UseFormReturn<z.input<typeof matcherRuleSection>, unknown, MatcherRuleSection>;
