import { describeSections, visibleTo, type Menu, type MenuEntry, type ScreenId } from '@breakwater/contract';
import { useQuery } from '@tanstack/react-query';
import { useMatches, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useHolder } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { knownMenu, knownScreens, screenOf } from '../../api/tables.ts';
import { useLanguage } from '../../i18n/language.ts';
import { homePath } from '../return-target.ts';
import { parents } from './parents.ts';

const refreshMs = 60_000;

/**
 * The menu of who is signed in, in the reader's language. The server's answer carries badges; until it is there, and
 * when it does not come, the console has the same tree by itself.
 */
export function useMenu(): Menu {
  const holder = useHolder();
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: ['getMenu', language],
    queryFn: ({ signal }) => call('getMenu', {}, signal),
    staleTime: refreshMs,
    refetchInterval: refreshMs,
  });
  return useMemo(
    () =>
      visibleTo(
        holder.role,
        data?.menu ?? describeSections(knownMenu(), Object.fromEntries(knownScreens()), holder, language),
      ),
    [holder, data, language],
  );
}

function useCurrentScreen(): ScreenId | undefined {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.screen });
}

/**
 * The page that is drawn: its screen and address. While another is on its way, the router's location is already that
 * one's; this is not.
 */
export function useCurrentPage(): { screen: ScreenId | undefined; pathname: string; href: string } {
  const { options } = useRouter();
  const text = useMatches({
    select: (matches) => {
      const last = matches.at(-1);
      const pathname = last?.pathname ?? '';
      return JSON.stringify({
        screen: last?.staticData.screen,
        pathname,
        href: pathname + options.stringifySearch!(last?.search ?? {}),
      });
    },
  });
  return useMemo(() => JSON.parse(text) as ReturnType<typeof useCurrentPage>, [text]);
}

/** The path of the menu entry that the current screen belongs to. */
export function useActivePath(): string | undefined {
  const current = useCurrentScreen();
  return current && screenOf(parents[current] ?? current)?.path;
}

/** Pages outside the console's own screens open in a new tab. */
export const isExternal = (path: string): boolean => !path.startsWith(homePath);

export function holds(entry: MenuEntry, path: string | undefined): boolean {
  return (
    path !== undefined && (entry.path === path || (entry.children ?? []).some((child) => holds(child, path)))
  );
}
