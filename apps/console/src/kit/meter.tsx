import { formatShare } from './format.ts';

/** A share from 0 to 1 as a bar; it warns from 80 %, alarms from 95 %. Its look is in `theme/plain-parts.ts`. */
export function Meter({ share, label, detail }: { share: number; label: string; detail?: string }) {
  const tone = share >= 0.95 ? 'error' : share >= 0.8 ? 'warning' : 'primary';
  return (
    <span className="meter">
      <span className="label">{label}</span>
      <span className="value">{detail ?? formatShare(share)}</span>
      <Bar share={share} label={label} tone={tone} />
    </span>
  );
}

interface BarProps {
  share: number;
  /** Names it for screen readers. */
  label: string;
  tone?: 'primary' | 'warning' | 'error';
}

/** The bar by itself. */
export function Bar({ share, label, tone = 'primary' }: BarProps) {
  const percent = Math.min(100, share * 100);
  return (
    <span
      className={`bar ${tone}`}
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}
