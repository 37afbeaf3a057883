import { formatShare } from './format.ts';

/** A share from 0 to 1 as a bar; it warns from 80 %, alarms from 95 %. Its look is in `theme/plain-parts.ts`. */
export function Meter({ share, label, detail }: { share: number; label: string; detail?: string }) {
  const tone = share >= 0.95 ? 'error' : share >= 0.8 ? 'warning' : 'primary';
  const percent = Math.min(100, share * 100);
  return (
    <span className="meter">
      <span className="label">{label}</span>
      <span className="value">{detail ?? formatShare(share)}</span>
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
    </span>
  );
}
