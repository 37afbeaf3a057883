/** What other modules may ask of violations. */

export { sampledShares, searchSamples } from './search-samples.ts';
export { searchSubmissions } from './search-submissions.ts';
