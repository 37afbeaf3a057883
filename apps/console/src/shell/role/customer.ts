import tables from 'virtual:tables/user';
import type { ConsoleRole } from '../console.tsx';
import { customerScreens } from '../screens/customer.ts';
import { sharedScreens } from '../screens/shared.ts';

export const customer: ConsoleRole = { tables, screens: { ...sharedScreens, ...customerScreens } };
