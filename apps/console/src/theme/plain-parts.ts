/**
 * Parts of the kit that lists are full of: plain elements, whose look belongs to the page. Each with a style of its own would
 * take longer than the row it stands in.
 */
export const plainParts = (highContrast: boolean) => ({
  ...textLink(highContrast),
  ...iconButton,
  ...chip,
  ...meter,
});

const colour = (name: string) => `var(--mui-palette-${name})`;
const isDark = ':where([data-color-scheme="dark"])';

/** The button of a row. */
const iconButton = {
  '.icon-button': {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    padding: 6,
    border: 0,
    borderRadius: '50%',
    background: 'none',
    color: colour('action-active'),
    cursor: 'pointer',
  },
  // Beside those of the header.
  '.icon-button.control': { width: 40, height: 40 },
  '.icon-button.named': {
    width: 'auto',
    gap: 8,
    paddingInline: 10,
    borderRadius: 8,
    font: 'inherit',
    fontSize: 14,
    color: colour('text-primary'),
  },
  // A name says which language it is without a flag; a flag alone does not.
  '@media (max-width: 599.95px)': { '.icon-button.named > svg': { display: 'none' } },
  // What is off and says why is pointed at for the reason, which MUI lets nobody do.
  '.denied.denied.Mui-disabled': { pointerEvents: 'auto', cursor: 'not-allowed' },
  '.icon-button:hover': { backgroundColor: colour('action-hover') },
  // Where a long name may be broken, if lines may: a `wbr` would do it in one that may not. No copy of the text has it.
  '.break::after': { content: '"\\200b"' },
};

/** A link in text, as `TextLink` of the kit draws it. */
const textLink = (underline: boolean) => ({
  '.text-link': {
    fontWeight: 600,
    overflowWrap: 'anywhere' as const,
    color: colour('primary-dark'),
    textDecoration: underline ? 'underline' : 'none',
  },
  // What does something on this page instead of leading to another one.
  'button.text-link': {
    border: 0,
    padding: 0,
    background: 'none',
    font: 'inherit',
    fontWeight: 600,
    cursor: 'pointer',
  },
  '.text-link:hover': { textDecoration: 'underline' },
  // Weighs no more than the light one: what colours its links does so in both schemes.
  [`${isDark} .text-link`]: { color: colour('primary-light') },
});

/** The look of a tone: text that is dark enough on a tint of its colour, and light where the page is dark. */
const toned = (tone: string, text: string) => ({
  [`.chip.${tone}`]: {
    color: colour(`${tone}-${text}`),
    backgroundColor: `rgba(${colour(`${tone}-mainChannel`)} / 0.16)`,
  },
  [`${isDark} .chip.${tone}`]: { color: colour(`${tone}-light`) },
});

/** A state in one word (`StatusChip`). */
const chip = {
  '.chip': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 6,
    height: 24,
    paddingInline: 8,
    borderRadius: 6,
    fontSize: '0.8125rem',
    fontWeight: 600,
    whiteSpace: 'nowrap',
    maxWidth: '100%',
  },
  '.chip::before': {
    content: '""',
    flexShrink: 0,
    width: 7,
    height: 7,
    borderRadius: '50%',
    backgroundColor: 'currentColor',
  },
  '@keyframes breathe': { '50%': { opacity: 0.25 } },
  '.chip.busy::before': { animation: 'breathe 1.2s ease-in-out infinite' },
  '.chip > span': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '.chip.neutral': { color: colour('text-secondary'), backgroundColor: 'rgba(145, 158, 171, 0.16)' },
  ...toned('success', 'darker'),
  ...toned('warning', 'darker'),
  ...toned('error', 'dark'),
  ...toned('info', 'dark'),
};

/** A share as a bar (`Meter`). */
const meter = {
  '.meter': {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: '2px 8px',
    minWidth: 90,
    fontSize: '0.75rem',
    lineHeight: 1.5,
  },
  '.meter > .label': { color: colour('text-secondary'), whiteSpace: 'nowrap' },
  '.meter > .value': { fontWeight: 600 },
  '.meter > .bar': { flex: '1 0 100%' },
  '.bar': {
    display: 'block',
    height: 5,
    borderRadius: 3,
    overflow: 'hidden',
    backgroundColor: 'rgba(145, 158, 171, 0.24)',
  },
  '.bar > span': { display: 'block', height: '100%', borderRadius: 3 },
  ...Object.fromEntries(
    ['primary', 'warning', 'error'].map((tone) => [
      `.bar.${tone} > span`,
      { backgroundColor: colour(`${tone}-main`) },
    ]),
  ),
  // Where colours are the reader's own, a ground is not drawn.
  '@media (forced-colors: active)': {
    '.bar': { border: '1px solid CanvasText' },
    '.bar > span': { forcedColorAdjust: 'none', backgroundColor: 'CanvasText' },
  },
};
