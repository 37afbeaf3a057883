import { Suspense, type ReactNode } from 'react';
import { useAccount } from '../../api/account.ts';
import {
  captchaUsableBy,
  filledListsUsableBy,
  listsUsableBy,
  ownCaptcha,
  ownFilledLists,
  ownLists,
} from '../../api/options.ts';
import {
  ConditionDataProvider,
  type AddressProps,
  type ConditionData,
} from '../../domain/condition/condition-data.ts';
import { lazyPart } from '../../kit/lazy-part.tsx';
import type { Choices } from '../../kit/fields/choices.ts';
import { useLevel } from './section/host.tsx';
import { useSiteIfAny } from './context.tsx';

// It checks addresses as the server does, by a library that a site's first page has no other use for.
const KnownAddress = lazyPart(() => import('./known-address.tsx').then((part) => part.KnownAddress));

/** The lists that rules here may name: of a site its customer's, of a level by whose it is; the platform's with them. */
export function useListChoices(): Choices {
  const owner = useOwner();
  return owner === undefined ? ownLists : listsUsableBy(owner);
}

/** The same of accounts at vendors of challenges. */
export function useCaptchaChoices(): Choices {
  const owner = useOwner();
  return owner === undefined ? ownCaptcha : captchaUsableBy(owner);
}

/**
 * For whom an operator picks: a site's customer, on a customer's level that customer, else the platform. Undefined
 * for customers, who need not be named: the server answers each of them with what they may use.
 */
function useOwner(): number | 'platform' | undefined {
  const admin = useAccount().role === 'admin';
  // The same editors stand on the page of a site and on that of a level, which is about no site.
  const site = useSiteIfAny();
  const level = useLevel();
  const client = site?.site.client_id ?? (level?.ref.level === 'client' ? level.ref.target_id : undefined);
  return admin ? (client ?? 'platform') : undefined;
}

function Lists({ children }: Parameters<ConditionData['Lists']>[0]): ReactNode {
  return children(useListChoices());
}

function FilledLists({ children }: Parameters<ConditionData['FilledLists']>[0]): ReactNode {
  const owner = useOwner();
  return children(owner === undefined ? ownFilledLists : filledListsUsableBy(owner));
}

/** While its code is on the way the editor goes on as if nothing were known of the address. */
function Address(props: AddressProps): ReactNode {
  return (
    <Suspense fallback={props.children(undefined)}>
      <KnownAddress {...props} />
    </Suspense>
  );
}

/** Components and no values, so that a list or an address is only read where an editor asks for it. */
const data: ConditionData = { Lists, FilledLists, Address };

/** Gives the editors of conditions below what they ask for. */
export function SiteConditionData({ children }: { children: ReactNode }) {
  return <ConditionDataProvider value={data}>{children}</ConditionDataProvider>;
}
