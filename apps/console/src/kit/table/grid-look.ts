import type { Theme } from '@mui/material';
import type { Density } from './table-view.ts';

export const rowHeight: Record<Density, number> = { comfortable: 53, compact: 37 };

/** Room before the first column, for what selects and unfolds a row. */
export const leadWidth = (unfolds: boolean): number => 42 + (unfolds ? 38 : 0);

/** The button that copies a cell. */
const button = {
  font: 'inherit',
  color: 'inherit',
  lineHeight: 0,
  padding: '5px',
  border: 0,
  borderRadius: '50%',
  background: 'none',
  cursor: 'pointer',
} as const;

/** The box that selects a row; its margin is part of what can be clicked only by what it stands in. */
const check = {
  verticalAlign: 'middle',
  width: 18,
  height: 18,
  margin: '11px 4px',
  cursor: 'pointer',
} as const;

/** In compact rows it makes none higher. */
const checkOf = (density: Density) => (density === 'compact' ? { ...check, margin: '7px 4px' } : check);

/**
 * A cell is one line, whatever a visitor sent: what is cut stands in its title once the pointer is there. One text takes no more
 * than its part of the window, so that the columns after it stay in sight. (By the table's own width, a container query, 200 rows
 * were drawn a sixth later.)
 */
const oneLine = {
  maxWidth: 'clamp(220px, 22vw, 340px)',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  unicodeBidi: 'plaintext',
} as const;

/** Text in cells: its size, its room, its side. */
function cellLook(theme: Theme, density: Density) {
  return {
    '& tbody td': {
      fontSize: theme.typography.body2.fontSize,
      lineHeight: theme.typography.body2.lineHeight,
      padding: density === 'compact' ? '6px 12px' : '14px 12px',
      textAlign: 'left' as const,
      borderBottom: `1px solid ${theme.vars!.palette.divider}`,
    },
    '& tbody tr.row > td[data-column]': oneLine,
    // Rather than columns out of sight. As exact as the rule before, so that a width that a reader chose comes after both.
    '& :where(.tight) tbody tr.row > td[data-column]:where(:not(.whole))': {
      maxWidth: 'clamp(140px, 11vw, 220px)',
    },
    '& :where(.tight) tbody tr.row > td': { paddingInline: '8px' },
    '& tbody tr.row > td.wraps': {
      whiteSpace: 'normal' as const,
      overflowWrap: 'anywhere' as const,
      minWidth: 200,
    },
    '& tbody td.end': { textAlign: 'right' as const, whiteSpace: 'nowrap' as const },
    '& tbody td.center': { textAlign: 'center' as const },
  };
}

/** The styles of all cells in one place: a thousand cells with styles of their own would be slow. */
export const gridLook = (density: Density, lead: number) => (theme: Theme) => {
  const paper = theme.vars!.palette.background.paper;
  const tint = (colour: string) => `linear-gradient(${colour}, ${colour})`;
  return {
    '& > .scroller': { width: '100%', overflow: 'auto' },
    '& table': { width: '100%', minWidth: 640, borderCollapse: 'collapse' as const, borderSpacing: 0 },
    ...cellLook(theme, density),
    '& tbody td.last, & tbody td.lead': { paddingTop: '2px', paddingBottom: '2px' },
    '& tbody td.details': { padding: '16px', backgroundColor: theme.vars!.palette.action.hover },
    '& tbody tr:last-child td': { borderBottom: 0 },
    ...undrawnLook(theme, rowHeight[density]),
    '& tbody tr.opens': { cursor: 'pointer' },
    // Moved to by keys, a row comes out from below the heads of the table and of the page.
    '& tbody tr.row': { scrollMarginBlock: '130px 70px' },
    // On the cells: those that stick lie over what is drawn around their row.
    '& tbody tr.row:focus-visible': { outline: 'none' },
    '& tbody tr.row:focus-visible > td': {
      boxShadow: `inset 0 2px 0 ${theme.vars!.palette.primary.main}, inset 0 -2px 0 ${theme.vars!.palette.primary.main}`,
    },
    '& tbody tr.row:hover > td': { backgroundImage: tint(theme.vars!.palette.action.hover) },
    '& thead th': {
      paddingInline: '12px',
      position: 'sticky',
      top: 0,
      zIndex: 3,
      backgroundColor: paper,
      backgroundImage: tint(theme.alpha(theme.vars!.palette.grey[500], 0.08)),
    },
    '& :where(.tight) thead th': { paddingInline: '8px' },
    ...stickyLook(theme, lead),
    ...resizerLook(theme),
    '& .check': { ...checkOf(density), accentColor: theme.vars!.palette.primary.dark },
    // The browser's own is filled with grey where the page is dark, and looks as if it were off.
    '& .check:not(:checked, :indeterminate)': {
      appearance: 'none',
      border: `2px solid ${theme.vars!.palette.text.secondary}`,
      borderRadius: '3px',
    },
    '& .copy': { ...button, opacity: 0, marginBlock: '-4px' },
    '& .copy:hover': { backgroundColor: theme.vars!.palette.action.hover },
    '& tr:hover .copy, & .copy:focus-visible': { opacity: 1 },
    '@keyframes fade': { '50%': { opacity: 0.4 } },
    '& .bone': {
      display: 'block',
      height: 12,
      marginBlock: 5,
      borderRadius: 4,
      backgroundColor: theme.vars!.palette.action.hover,
      animation: 'fade 2s ease-in-out 0.5s infinite',
    },
    // Where nothing hovers, what appears on hover has to be there.
    '@media (hover: none)': { '& .copy': { opacity: 1 } },
  };
};

/** Lines of rows that are still to be drawn, on each side of those that are: as many as a high window shows. */
const undrawnLines = 40;

/**
 * Each is a picture of its own: one picture repeated all over the box would be drawn point by point, which takes longer than drawing
 * the rows does.
 */
function undrawnLook(theme: Theme, height: number) {
  const line = theme.vars!.palette.divider;
  const each = (make: (index: number) => string) =>
    Array.from({ length: undrawnLines }, (_, at) => make(at)).join();
  return {
    '& tbody td.undrawn': {
      padding: 0,
      border: 0,
      backgroundImage: each(() => `linear-gradient(${line}, ${line})`),
      backgroundSize: '100% 1px',
      backgroundRepeat: 'no-repeat',
      backgroundPosition: each((index) => `0 ${(index + 1) * height - 1}px`),
    },
    '& tbody td.undrawn.before': { backgroundPosition: each((index) => `left bottom ${index * height}px`) },
  };
}

/** The cells that stay in sight while the rest scrolls: choice, first and last. */
function stickyLook(theme: Theme, lead: number) {
  const tint = (colour: string) => `linear-gradient(${colour}, ${colour})`;
  const stuck = {
    position: 'sticky',
    zIndex: 2,
    backgroundColor: theme.vars!.palette.background.paper,
  } as const;
  const edge = {
    content: '""',
    position: 'absolute',
    top: 0,
    bottom: 0,
    width: '1px',
    backgroundColor: theme.vars!.palette.divider,
  } as const;
  return {
    '& .lead, & tbody td.lead': {
      width: lead,
      minWidth: lead,
      paddingInline: '8px 0',
      // Of a box and a button beside it, without the room that a line of text would want below them.
      lineHeight: 0,
      whiteSpace: 'nowrap' as const,
    },
    // Only where there is something to scroll to: each that sticks is placed anew at every step of a scroll.
    '& .wide td.lead': { ...stuck, insetInlineStart: 0 },
    '& .wide td.first': { ...stuck, insetInlineStart: lead },
    '& .wide td.last': { ...stuck, insetInlineEnd: 0 },
    '& th.lead': { insetInlineStart: 0, zIndex: 4 },
    '& th.first': { insetInlineStart: lead, zIndex: 4 },
    // A first column without a width of its own names the row, and keeps room for that.
    '& th.named': { minWidth: 190 },
    '& th.last': { insetInlineEnd: 0, zIndex: 4 },
    '& tbody tr[aria-selected=true] > td': {
      backgroundImage: tint(theme.alpha(theme.vars!.palette.primary.main, 0.08)),
    },
    '& .more-before td.first::after, & .more-before th.first::after': { ...edge, insetInlineEnd: 0 },
    '& .more-after td.last::after, & .more-after th.last::after': { ...edge, insetInlineStart: 0 },
  };
}

/** The edge of a column's head: a line as it is pointed at or has the focus, wide enough to be caught. */
function resizerLook(theme: Theme) {
  return {
    '& .resizer': {
      position: 'absolute' as const,
      insetBlock: 0,
      insetInlineEnd: 0,
      width: 11,
      cursor: 'col-resize',
      touchAction: 'none' as const,
      '&::after': {
        content: '""',
        position: 'absolute' as const,
        insetBlock: 12,
        insetInlineEnd: 0,
        width: 2,
        borderRadius: 1,
        backgroundColor: 'transparent',
      },
    },
    '& thead tr:hover .resizer::after': { backgroundColor: theme.vars!.palette.divider },
    '& .resizer:hover::after, & .resizer:active::after, & .resizer:focus-visible::after': {
      insetBlock: 2,
      backgroundColor: `${theme.vars!.palette.primary.main} !important`,
    },
  };
}

/** The widths that a reader chose: as variables, since one that is drawn would otherwise be a class for every pixel. */
export const widthVariables = (
  columns: readonly { id: string }[],
  widths: Readonly<Record<string, number>>,
) =>
  Object.fromEntries(
    columns.flatMap(({ id }, index) =>
      widths[id] === undefined ? [] : [[`--width-${index}`, `${widths[id]}px`]],
    ),
  );

export const widthLook = (columns: readonly { id: string }[], widths: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    columns.flatMap(({ id }, index) => {
      if (widths[id] === undefined) return [];
      const width = `var(--width-${index})`;
      // What a column kept of its content's width (`fitTable`) is over.
      const sized = { width, minWidth: `${width} !important`, maxWidth: width };
      const name = CSS.escape(id);
      return [
        [`& th[data-head=${name}]`, sized],
        // As exact as `oneLine`, which comes before.
        [
          `& tbody tr.row > td[data-column=${name}]`,
          { ...sized, overflow: 'hidden', textOverflow: 'ellipsis' },
        ],
      ];
    }),
  );
