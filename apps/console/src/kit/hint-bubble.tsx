import { Tooltip } from '@mui/material';

interface HintBubbleProps {
  id: string;
  anchor: HTMLElement;
  title: string;
  /** The pointer went over to the hint, which may be long. */
  onStay: () => void;
  onClose: () => void;
}

/** The hint itself, beside what it is about. */
export function HintBubble({ id, anchor, title, onStay, onClose }: HintBubbleProps) {
  return (
    <Tooltip
      open
      id={id}
      title={title}
      onClose={onClose}
      slotProps={{
        popper: { anchorEl: anchor },
        tooltip: { onPointerEnter: onStay, onPointerLeave: onClose },
      }}
    >
      {/* MUI's wants an element of its own. */}
      <span hidden />
    </Tooltip>
  );
}
