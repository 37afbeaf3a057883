import { siteSearch } from '@breakwater/contract';
import { firstPageOf } from '../../../api/first-read.ts';

/** Apart from the screen, so that the server is asked before the screen's code is run. */
export const firstRead = firstPageOf('listSites', siteSearch);
