import {
  lazy,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
} from 'react';
import { orInstead } from './lazy-overlay.ts';

/** Without the code of it there is no hint: what it belongs to says the most important by itself. */
const HintBubble = lazy(() =>
  orInstead(
    import('./hint-bubble.tsx').then((part) => part.HintBubble),
    () => null,
  ),
);

interface HintProps {
  /** Nothing is shown where it is empty. */
  title: string;
  /** It says more about something that has a name; else it is the name of what has none. */
  describes?: boolean;
  /** One element, which takes what elements take of events and attributes. */
  children: ReactElement<GivenProps>;
}

/** How long one points at something, or touches it, until its hint shows, and how long it stays after that. */
const [showMs, touchMs, hideMs, untouchMs] = [100, 700, 100, 1500];

/**
 * A hint that shows while something is pointed at, touched for long, or has the focus by a key. The code that draws it comes
 * with the first one: screens have hundreds that nobody ever asks for, and each of MUI's is as much work as a row of a table.
 */
export function Hint({ title, describes = false, children }: HintProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const after = (ms: number, next: HTMLElement | null) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(next), ms);
  };
  const { type: Element, props } = children;
  const shown = anchor !== null && title !== '';
  return (
    <>
      <Element
        {...props}
        {...(describes || title === '' ? {} : { 'aria-label': props['aria-label'] ?? title })}
        {...(shown && describes ? { 'aria-describedby': props['aria-describedby'] ?? id } : {})}
        onPointerEnter={({ currentTarget, pointerType }: PointerEvent<HTMLElement>) =>
          after(pointerType === 'touch' ? touchMs : showMs, currentTarget)
        }
        onPointerLeave={({ pointerType }: PointerEvent) =>
          after(pointerType === 'touch' ? untouchMs : hideMs, null)
        }
        onFocus={(event: FocusEvent<HTMLElement>) => {
          props.onFocus?.(event);
          if (event.target.matches(':focus-visible')) after(0, event.currentTarget);
        }}
        onBlur={(event: FocusEvent<HTMLElement>) => {
          props.onBlur?.(event);
          after(0, null);
        }}
      />
      {shown && (
        <Suspense>
          <HintBubble
            id={id}
            anchor={anchor}
            title={title}
            onStay={() => clearTimeout(timer.current)}
            onClose={() => after(0, null)}
          />
        </Suspense>
      )}
    </>
  );
}

interface GivenProps {
  'aria-label'?: string;
  'aria-describedby'?: string;
  onFocus?: (event: FocusEvent) => void;
  onBlur?: (event: FocusEvent) => void;
}
