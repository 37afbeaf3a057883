import { fuzz } from './fuzz-suite.ts';

fuzz('customer');
fuzz('node');
