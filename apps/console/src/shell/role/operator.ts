import tables from 'virtual:tables/admin';
import type { ConsoleRole } from '../console.tsx';
import { operatorScreens } from '../screens/operator.ts';
import { sharedScreens } from '../screens/shared.ts';

export const operator: ConsoleRole = { tables, screens: { ...sharedScreens, ...operatorScreens } };
