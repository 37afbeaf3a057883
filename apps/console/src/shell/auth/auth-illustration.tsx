import { Later } from '../../kit/later.tsx';

const edges = [
  { x: 70, y: 60 },
  { x: 410, y: 50 },
  { x: 40, y: 190 },
  { x: 440, y: 180 },
  { x: 120, y: 280 },
  { x: 370, y: 280 },
];
const origin = { x: 240, y: 165 };

/** An origin behind its breakwater, and the edges around that carry it. Decorative. */
export function AuthIllustration() {
  return (
    <svg viewBox="0 0 480 330" aria-hidden className="picture">
      <Later>
        <Drawing />
      </Later>
    </svg>
  );
}

function Drawing() {
  return (
    <>
      <defs>
        <radialGradient id="auth-glow">
          <stop offset="0" stopColor="#00A76F" stopOpacity="0.55" />
          <stop offset="1" stopColor="#00A76F" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="auth-shield" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#5BE49B" />
          <stop offset="1" stopColor="#007867" />
        </linearGradient>
      </defs>
      <circle cx={origin.x} cy={origin.y} r={150} fill="url(#auth-glow)" />
      {[95, 130, 165].map((radius, index) => (
        <ellipse
          key={radius}
          cx={origin.x}
          cy={origin.y}
          rx={radius * 1.35}
          ry={radius * 0.8}
          fill="none"
          stroke="#5BE49B"
          strokeOpacity={0.28 - index * 0.07}
          strokeDasharray="3 7"
        />
      ))}
      {edges.map(({ x, y }) => (
        <path
          key={`${x} ${y}`}
          d={`M${origin.x} ${origin.y}Q${(origin.x + x) / 2} ${Math.min(origin.y, y) - 24} ${x} ${y}`}
          fill="none"
          stroke="#5BE49B"
          strokeOpacity={0.5}
          strokeWidth={1.5}
        />
      ))}
      {edges.map(({ x, y }, index) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
          <rect x={-26} y={-20} width={52} height={40} rx={8} fill="#1C252E" stroke="rgba(255,255,255,.2)" />
          {[-9, 3].map((line) => (
            <g key={line}>
              <rect x={-18} y={line} width={36} height={7} rx={2} fill="rgba(255,255,255,.12)" />
              <circle cx={13} cy={line + 3.5} r={2} fill={(index + line) % 5 === 0 ? '#FFAB00' : '#5BE49B'} />
            </g>
          ))}
        </g>
      ))}
      <g transform={`translate(${origin.x} ${origin.y})`}>
        <path
          d="M0-62 50-44V0c0 32-22 52-50 64C-28 52-50 32-50 0v-44z"
          fill="url(#auth-shield)"
          stroke="#C8FAD6"
          strokeOpacity={0.6}
          strokeWidth={2}
        />
        {[-16, 2, 20].map((y, index) => (
          <path
            key={y}
            d={`M${-30 + index * 4} ${y}q7.5-9 15 0t15 0 15 0 ${15 - index * 8} 0`}
            fill="none"
            stroke="#fff"
            strokeWidth={4}
            strokeLinecap="round"
          />
        ))}
      </g>
    </>
  );
}
