import { elementScroll, type VirtualizerOptions } from '@tanstack/react-virtual';

type Options = VirtualizerOptions<HTMLDivElement, HTMLTableRowElement>;

/**
 * How long lists are measured: by what the browser tells once it has laid out the page. To ask it earlier would make it
 * lay out the table while it is made, and once more when that is done.
 */
export const measuredByBrowser: Pick<Options, 'observeElementRect' | 'measureElement' | 'scrollToFn'> = {
  // Also asked for where it has scrolled to already, as at the beginning.
  scrollToFn: (offset, options, instance) => {
    if (offset + (options.adjustments ?? 0) !== (instance.scrollOffset ?? 0))
      elementScroll(offset, options, instance);
  },
  observeElementRect: ({ scrollElement }, tell) => {
    if (!scrollElement) return undefined;
    const observer = new ResizeObserver(() =>
      tell({ width: scrollElement.offsetWidth, height: scrollElement.offsetHeight }),
    );
    observer.observe(scrollElement);
    return () => observer.disconnect();
  },
  measureElement: (element, entry, { options, itemSizeCache, indexFromElement }) => {
    const told = entry?.borderBoxSize[0];
    if (told) return Math.round(told.blockSize);
    const index = indexFromElement(element);
    return itemSizeCache.get(options.getItemKey(index)) ?? options.estimateSize(index);
  },
};

/** Columns would change their widths with the rows that come into sight; so what they once needed they keep. */
export function keepWidths(table: HTMLElement): () => void {
  const heads = [...table.querySelectorAll('th')];
  const observer = new ResizeObserver(() => {
    observer.disconnect();
    const widths = heads.map((head) => head.offsetWidth);
    heads.forEach((head, index) => {
      head.style.minWidth = `${widths[index]}px`;
    });
  });
  if (heads[0]) observer.observe(heads[0]);
  return () => {
    observer.disconnect();
    for (const head of heads) head.style.minWidth = '';
  };
}
