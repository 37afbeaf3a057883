import { Box } from '@mui/material';
import { useRef, useState, type ReactNode } from 'react';
import type { EChartsType } from 'echarts/core';

export interface TimeSpan {
  from: number;
  until: number;
}

interface ZoomAreaProps {
  chart: EChartsType | null;
  onZoom: (span: TimeSpan) => void;
  children: ReactNode;
}

/** So many pixels are a drag; fewer are a click. */
const dragFrom = 8;

/** Lets a pointer drag over the chart choose a span of time. */
export function ZoomArea({ chart, onZoom, children }: ZoomAreaProps) {
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ start: number; end: number } | null>(null);
  const at = (event: React.PointerEvent) => event.clientX - box.current!.getBoundingClientRect().left;
  const timeAt = (x: number) => Number(chart?.convertFromPixel({ xAxisIndex: 0 }, x));
  const finish = () => {
    if (drag && Math.abs(drag.end - drag.start) >= dragFrom) {
      const [from, until] = [drag.start, drag.end].map(timeAt).sort((a, b) => a - b);
      if (from !== undefined && until !== undefined && Number.isFinite(from) && Number.isFinite(until))
        onZoom({ from, until });
    }
    setDrag(null);
  };
  return (
    <Box
      ref={box}
      sx={{ position: 'relative', cursor: 'crosshair', touchAction: 'pan-y' }}
      onPointerDown={(event) =>
        event.button === 0 && event.pointerType !== 'touch' && setDrag({ start: at(event), end: at(event) })
      }
      onPointerMove={(event) => drag && setDrag({ ...drag, end: at(event) })}
      onPointerUp={finish}
      onPointerLeave={finish}
    >
      {children}
      {drag && Math.abs(drag.end - drag.start) >= dragFrom && (
        <Box
          // Pixels of the pointer, which no direction of writing mirrors.
          style={{ left: Math.min(drag.start, drag.end), width: Math.abs(drag.end - drag.start) }}
          sx={(theme) => ({
            position: 'absolute',
            top: 0,
            bottom: 24,
            bgcolor: theme.alpha(theme.vars!.palette.primary.main, 0.15),
            pointerEvents: 'none',
          })}
        />
      )}
    </Box>
  );
}
