import { fuzz } from './fuzz-suite.ts';

fuzz('owner');
