/** What other modules may ask of violations. */

export { searchSamples, sharePerMille } from './search-samples.ts';
