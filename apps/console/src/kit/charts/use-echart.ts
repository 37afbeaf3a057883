import type { EChartsCoreOption, EChartsType } from 'echarts/core';
import { useEffect, useRef, useState } from 'react';

/** A chart of ECharts in an element, as large as that is. ECharts is loaded with the first one; `isMissing`: it did not come. */
export function useEChart(option: EChartsCoreOption) {
  const host = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType | null>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let made: EChartsType | undefined;
    let gone = false;
    const observer = new ResizeObserver(() => made?.resize());
    import('./echarts.ts').then(
      ({ init }) => {
        if (gone || !host.current) return;
        made = init(host.current, null, { renderer: 'svg' });
        observer.observe(host.current);
        setChart(made);
      },
      () => setMissing(true),
    );
    return () => {
      gone = true;
      observer.disconnect();
      made?.dispose();
      setChart(null);
    };
  }, []);
  useEffect(() => {
    chart?.setOption(option, { replaceMerge: ['series'] });
  }, [chart, option]);
  return { host, chart, isMissing };
}
