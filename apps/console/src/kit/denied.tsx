import { cloneElement, useId, type MouseEvent, type ReactElement } from 'react';
import { Hint } from './hint.tsx';

interface DeniedProps {
  /** Why the control is off; without it, it is on. */
  reason: string | undefined;
  /** A button of MUI's. */
  children: ReactElement<object>;
}

/**
 * A control that is off and says why. One that is `disabled` is passed over by the keyboard, and a title on it never shows;
 * this one takes the focus, keeps its name, and has the reason as its description. It does nothing.
 */
export function Denied({ reason, children }: DeniedProps) {
  const id = useId();
  if (reason === undefined) return children;
  const off = {
    'aria-disabled': true,
    'aria-describedby': id,
    // How MUI draws what is disabled; `denied` lets it be pointed at (`theme/components.ts`).
    className: 'Mui-disabled denied',
    disableRipple: true,
    onClick: prevented,
  };
  return (
    <>
      <Hint describes title={reason}>
        {cloneElement(children, off)}
      </Hint>
      <span id={id} hidden>
        {reason}
      </span>
    </>
  );
}

/** Of a button that submits, too. */
function prevented(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
