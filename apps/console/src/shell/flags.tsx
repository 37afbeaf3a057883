import type { Language } from '@breakwater/contract';

/** Flags of the languages, drawn here so that none is fetched. Decorative: the name stands beside them. */
export function Flag({ language }: { language: Language }) {
  return (
    <svg viewBox="0 0 60 40" aria-hidden width={26} height={18} style={{ borderRadius: 4, flexShrink: 0 }}>
      {language === 'zh' ? <China /> : <Britain />}
    </svg>
  );
}

/** Large star and the four that turn towards it, on a grid of 30 × 20 as the flag law of 1949 has it. */
function China() {
  const stars = [
    { x: 10, y: 10, r: 6, turn: 0 },
    { x: 20, y: 4, r: 2, turn: 23 },
    { x: 24, y: 8, r: 2, turn: 46 },
    { x: 24, y: 14, r: 2, turn: 70 },
    { x: 20, y: 18, r: 2, turn: 21 },
  ];
  return (
    <>
      <rect width="60" height="40" fill="#EE1C25" />
      {stars.map(({ x, y, r, turn }) => (
        <polygon
          key={`${x} ${y}`}
          points={starPoints(r)}
          transform={`translate(${x} ${y}) rotate(${turn})`}
          fill="#FFFF00"
        />
      ))}
    </>
  );
}

function starPoints(radius: number): string {
  return Array.from({ length: 10 }, (_, corner) => {
    const reach = corner % 2 === 0 ? radius : radius * 0.382;
    const angle = (corner * Math.PI) / 5;
    return `${(reach * Math.sin(angle)).toFixed(2)},${(-reach * Math.cos(angle)).toFixed(2)}`;
  }).join(' ');
}

function Britain() {
  return (
    <>
      <rect width="60" height="40" fill="#012169" />
      <path d="M0 0 60 40M60 0 0 40" stroke="#fff" strokeWidth="8" />
      <path d="M0 0 30 20M60 40 30 20" stroke="#C8102E" strokeWidth="3" transform="translate(0 1.5)" />
      <path d="M60 0 30 20M0 40 30 20" stroke="#C8102E" strokeWidth="3" transform="translate(0 -1.5)" />
      <path d="M30 0V40M0 20H60" stroke="#fff" strokeWidth="13" />
      <path d="M30 0V40M0 20H60" stroke="#C8102E" strokeWidth="8" />
    </>
  );
}
