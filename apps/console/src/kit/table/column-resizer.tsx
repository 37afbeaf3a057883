import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useText } from '../../i18n/text.ts';
import { tableText } from './table.text.ts';

/** How narrow and how wide a column can be made, in px, and how far one press of an arrow key goes. */
export const widthMin = 64;
const [widthMax, step] = [1200, 16];

interface ColumnResizerProps {
  header: string;
  /** What the reader made it; undefined while it follows its content. */
  width: number | undefined;
  /** Undefined: as wide as its content again. */
  onWidth: (width: number | undefined) => void;
}

/** The edge of a column's head: drawn, or moved by arrow keys, it makes the column wider; a double click ends that. */
export function ColumnResizer({ header, width, onWidth }: ColumnResizerProps) {
  const t = useText(tableText);
  const drag = useRef<{ from: number; width: number } | null>(null);
  const towardsEnd = (element: Element) => (getComputedStyle(element).direction === 'rtl' ? -1 : 1);
  const shownWidth = (edge: Element) => edge.closest('th')!.offsetWidth;
  const set = (next: number) => onWidth(Math.round(Math.min(widthMax, Math.max(widthMin, next))));
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={t.columnWidth(header)}
      aria-valuenow={width ?? 0}
      aria-valuemin={widthMin}
      aria-valuemax={widthMax}
      aria-valuetext={width === undefined ? t.automaticWidth : `${width} px`}
      tabIndex={0}
      className="resizer"
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: event.clientX, width: shownWidth(event.currentTarget) };
      }}
      onPointerMove={(event: PointerEvent<HTMLElement>) => {
        if (!drag.current) return;
        const moved = (event.clientX - drag.current.from) * towardsEnd(event.currentTarget);
        if (moved !== 0) set(drag.current.width + moved);
      }}
      onLostPointerCapture={() => {
        drag.current = null;
      }}
      onDoubleClick={() => onWidth(undefined)}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (event.key === 'Delete' || event.key === 'Backspace') onWidth(undefined);
        else if (by === undefined) return;
        else set((width ?? shownWidth(event.currentTarget)) + by * step * towardsEnd(event.currentTarget));
        event.preventDefault();
      }}
    />
  );
}
