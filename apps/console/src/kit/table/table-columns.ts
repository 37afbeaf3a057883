import { createContext } from 'react';

/** Of the table around: which columns it shows, as an address says it. */
export const TableColumns = createContext<string | undefined>(undefined);
