import { Box, Skeleton } from '@mui/material';
import { Suspense, useMemo, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { ChartCard } from './chart-card.tsx';
import { chartText } from './chart.text.ts';
import { totalOf, type Part } from './part.ts';
import { PartsTable } from './parts-table.tsx';
import { Country } from '../country.tsx';
import { lazyPart } from '../lazy-part.tsx';

const WorldShapes = lazyPart(() => import('./world-shapes.tsx').then((module) => module.WorldShapes));

interface WorldMapCardProps {
  title: string;
  figure?: ReactNode;
  /** Values by ISO 3166-1 alpha-2 code; undefined: on its way. */
  regions: readonly { code: string; value: number }[] | undefined;
  format: (value: number) => string;
  height?: number;
}

/** Values by country or region on a map; the shapes are loaded with the first one. */
export function WorldMapCard({ title, figure, regions, format, height = 340 }: WorldMapCardProps) {
  const t = useText(chartText);
  const nameOf = useRegionName();
  const parts = useMemo(
    () =>
      (regions ?? []).map(({ code, value }): Part => {
        const name = nameOf(code);
        return { name, label: <Country code={code} name={name} />, value };
      }),
    [regions, nameOf],
  );
  return (
    <ChartCard
      title={title}
      figure={figure}
      height={height}
      state={regions === undefined ? 'loading' : totalOf(parts) > 0 ? 'ready' : 'empty'}
      table={() => <PartsTable parts={parts} format={format} nameLabel={t.region} />}
    >
      {() => (
        <Box sx={{ height }}>
          <Suspense fallback={<Skeleton variant="rounded" height={height} />}>
            <WorldShapes title={title} regions={regions ?? []} format={format} nameOf={nameOf} />
          </Suspense>
        </Box>
      )}
    </ChartCard>
  );
}

/** What a region is called in the reader's language; the browser knows. */
function useRegionName(): (code: string) => string {
  const language = useLanguage();
  const t = useText(chartText);
  return useMemo(() => {
    const names = new Intl.DisplayNames(language === 'zh' ? 'zh-CN' : 'en', {
      type: 'region',
      fallback: 'code',
    });
    return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code || t.unknownRegion);
  }, [language, t]);
}
