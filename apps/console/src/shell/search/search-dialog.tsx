import { Box, Dialog, InputBase, Typography } from '@mui/material';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useAccount } from '../../api/account.ts';
import { session } from '../../api/session.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { Icon } from '../../kit/icon.tsx';
import { isExternal, useMenu } from '../nav/menu.ts';
import { findEntries, indexMenu, type SearchEntry } from './search-index.ts';
import { SearchHits, type Hit } from './search-hits.tsx';
import { searchOpenings, setSearchOpen, useSearchOpen } from './search-open.ts';
import { shellText } from '../shell.text.ts';
import { tabTitle, useOpenTabs } from '../tabs.ts';
import { useEntityHits } from './use-entity-hits.ts';

const heightPx = 400;
const recentMax = 6;
const titleId = 'search-title';

/** Finds menu entries at once, and sites, nodes, customers and orders by the server as one types. */
export function SearchDialog() {
  const t = useText(shellText).search;
  const open = useSearchOpen();
  return (
    <Dialog
      open={open}
      onClose={() => setSearchOpen(false)}
      fullWidth
      maxWidth="sm"
      aria-labelledby={titleId}
      transitionDuration={120}
      slotProps={{ paper: { sx: { height: heightPx, alignSelf: 'flex-start', mt: { xs: 2, sm: 10 } } } }}
    >
      <h2 id={titleId} hidden>
        {t.open}
      </h2>
      <SearchBody key={searchOpenings()} />
    </Dialog>
  );
}

/** Mounted anew with each opening: closing forgets the query. */
function SearchBody() {
  const t = useText(shellText).search;
  const { role } = useAccount();
  const [query, setQuery] = useState('');
  const entries = useIndex();
  const recent = useRecent();
  const entities = useEntityHits(query);
  const typed = query.trim() !== '';
  const hits: Hit[] = typed ? [...findEntries(entries, query).map(asHit), ...entities.hits] : recent;
  const [selected, setSelected] = useState(0);
  useEffect(() => setSelected(0), [query]);
  const choose = useChoose();
  // Whoever types a name and Enter is quicker than the server: what comes first is then chosen.
  const [entered, setEntered] = useState('');
  const awaited = entered !== '' && entered === query && !entities.loading ? hits[0]?.href : undefined;
  useEffect(() => {
    if (awaited !== undefined) choose(awaited);
  }, [awaited, choose]);
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) setSelected((at) => (at + step + hits.length) % hits.length);
    else if (event.key === 'Enter' && hits[selected]) choose(hits[selected].href);
    else if (event.key === 'Enter') setEntered(query);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.5,
          px: 2.5,
          py: 1.5,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Icon name="search" size={22} sx={{ color: 'text.secondary' }} />
        <InputBase
          autoFocus
          fullWidth
          value={query}
          placeholder={t.placeholder}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
          inputProps={{
            role: 'combobox',
            'aria-label': t.open,
            'aria-expanded': hits.length > 0,
            'aria-controls': 'search-hits',
            'aria-autocomplete': 'list',
            ...(hits[selected] ? { 'aria-activedescendant': `search-hit-${selected}` } : {}),
            autoComplete: 'off',
            spellCheck: false,
          }}
          sx={{ fontSize: 17 }}
        />
        <Box
          component="kbd"
          sx={{
            font: 'inherit',
            fontSize: 12,
            px: 0.75,
            borderRadius: 0.75,
            border: 1,
            borderColor: 'divider',
            color: 'text.secondary',
          }}
        >
          Esc
        </Box>
      </Box>
      <Box tabIndex={0} sx={{ flex: 1, overflowY: 'auto', p: 1.5, outline: 'none' }}>
        {!typed && (
          <Notice
            title={t.empty}
            hint={role === 'admin' ? t.hint : t.customerHint}
            compact={recent.length > 0}
          />
        )}
        {typed && hits.length === 0 && !entities.loading && (
          <Notice title={t.notFound} hint={t.notFoundHint(query.trim())} />
        )}
        <SearchHits
          hits={hits}
          query={query}
          selected={selected}
          onHover={setSelected}
          onChoose={({ href }) => choose(href)}
        />
        {typed && (entities.loading || entities.failed) && (
          <Typography
            variant="body2"
            role="status"
            sx={{ px: 1.5, py: 1, color: entities.failed ? 'error.main' : 'text.secondary' }}
          >
            {entities.failed ? t.failed : t.searching}
          </Typography>
        )}
      </Box>
    </>
  );
}

function Notice({ title, hint, compact = false }: { title: string; hint: string; compact?: boolean }) {
  return (
    <Box role="status" sx={{ textAlign: 'center', px: 3, py: compact ? 1.5 : 7 }}>
      <Typography variant="subtitle1" component="p">
        {title}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.5, overflowWrap: 'anywhere' }}>
        {hint}
      </Typography>
    </Box>
  );
}

const asHit = ({ title, path, group }: SearchEntry): Hit => ({ title, detail: path, href: path, group });

/** The menu's entries. A menu that cannot be read is no menu of a session: it ends (spec §8). */
function useIndex(): SearchEntry[] {
  const menu = useMenu();
  const [index, failed] = tryIndex(menu);
  useEffect(() => {
    if (failed) session.ended();
  }, [failed]);
  return index;
}
function tryIndex(menu: Parameters<typeof indexMenu>[0]): [SearchEntry[], boolean] {
  try {
    return [indexMenu(menu), false];
  } catch (error) {
    console.warn('the search index cannot be built', error);
    return [[], true];
  }
}

/** The pages visited last, the newest first, without the one that is shown. */
function useRecent(): Hit[] {
  const t = useText(shellText).search;
  const language = useLanguage();
  const { pathname } = useRouter().state.location;
  return useOpenTabs()
    .filter(({ path }) => path !== pathname)
    .slice(-recentMax)
    .toReversed()
    .map((tab) => ({ title: tabTitle(tab, language), detail: tab.path, href: tab.href, group: t.recent }));
}

function useChoose(): (href: string) => void {
  const router = useRouter();
  return useCallback(
    (href) => {
      setSearchOpen(false);
      if (isExternal(href)) window.open(href, '_blank', 'noopener');
      else void router.navigate({ to: href });
    },
    [router],
  );
}
