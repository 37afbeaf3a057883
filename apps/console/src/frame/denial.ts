import type { RouteName } from '@breakwater/contract';
import { useMay } from '../api/account.ts';
import { useText } from '../i18n/text.ts';
import { kitText } from '../kit/kit.text.ts';

/** Says why whoever is signed in may not make a call; nothing where they may. */
export function useDenial(): (name: RouteName) => string | undefined {
  const kit = useText(kitText);
  const may = useMay();
  return (name) => (may(name) ? undefined : kit.noPermission);
}
