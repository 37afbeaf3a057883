import { Box, Typography } from '@mui/material';
import { useEffect, useRef } from 'react';
import { useText } from '../../i18n/text.ts';
import { highlight } from './search-index.ts';
import { shellText } from '../shell.text.ts';

export interface Hit {
  title: string;
  detail: string;
  href: string;
  /** The heading it stands under. */
  group: string;
}

interface SearchHitsProps {
  hits: readonly Hit[];
  query: string;
  selected: number;
  onHover: (index: number) => void;
  onChoose: (hit: Hit) => void;
}

/** What was found, under the headings of its groups. The focus stays in the field; the field names the chosen one. */
export function SearchHits({ hits, query, selected, onHover, onChoose }: SearchHitsProps) {
  const t = useText(shellText).search;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, hits]);
  const groups = [
    ...Map.groupBy(
      hits.map((hit, index) => ({ hit, index })),
      ({ hit }) => hit.group,
    ),
  ];
  return (
    <div role="listbox" id="search-hits" aria-label={t.results} ref={list}>
      {groups.map(([group, members]) => (
        <div role="group" aria-label={group} key={group}>
          <Typography
            variant="overline"
            component="div"
            aria-hidden
            sx={{ px: 1.5, pt: 1, color: 'text.secondary', lineHeight: 2 }}
          >
            {group}
          </Typography>
          {members.map(({ hit, index }) => (
            <Box
              key={`${hit.href} ${hit.title}`}
              role="option"
              id={`search-hit-${index}`}
              aria-selected={index === selected}
              onMouseMove={() => onHover(index)}
              onClick={() => onChoose(hit)}
              sx={hitLook}
            >
              <Typography variant="body2" component="div" noWrap sx={{ fontWeight: 600 }}>
                <Marked text={hit.title} query={query} />
              </Typography>
              <Typography variant="caption" component="div" noWrap sx={{ color: 'text.secondary' }}>
                <Marked text={hit.detail} query={query} />
              </Typography>
            </Box>
          ))}
        </div>
      ))}
    </div>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  return highlight(text, query).map(({ text: part, match }, index) =>
    match ? (
      <Box
        key={index}
        component="mark"
        sx={{
          bgcolor: 'transparent',
          color: 'primary.dark',
          '[data-color-scheme=dark] &': { color: 'primary.light' },
        }}
      >
        {part}
      </Box>
    ) : (
      part
    ),
  );
}

const hitLook = {
  px: 1.5,
  py: 1,
  borderRadius: 1,
  cursor: 'pointer',
  border: '1px dashed transparent',
  '&[aria-selected="true"]': {
    bgcolor: 'color-mix(in srgb, var(--mui-palette-primary-main) 8%, transparent)',
    borderColor: 'var(--mui-palette-primary-main)',
  },
} as const;
