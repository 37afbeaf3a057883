import { elementScroll, type VirtualizerOptions } from '@tanstack/react-virtual';

type Options = VirtualizerOptions<HTMLDivElement, HTMLTableRowElement>;

/**
 * How long lists are measured: by what the browser tells once it has laid out the page. To ask it earlier would make it
 * lay out the table while it is made, and once more when that is done.
 * @param guess the height of a row in px, until one has been measured: most are as high as the first
 */
export function measuredByBrowser(
  guess: number,
): Pick<Options, 'observeElementRect' | 'estimateSize' | 'measureElement' | 'scrollToFn'> {
  let first: number | undefined;
  return {
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
    estimateSize: () => first ?? guess,
    measureElement: (element, entry, { options, itemSizeCache, indexFromElement }) => {
      const told = entry?.borderBoxSize[0];
      if (told) {
        const height = Math.round(told.blockSize);
        first ??= height;
        return height;
      }
      const index = indexFromElement(element);
      return itemSizeCache.get(options.getItemKey(index)) ?? options.estimateSize(index);
    },
  };
}

/**
 * Fits a table to the room that it has, and tells by classes where there is more to scroll to, so that the columns that stick are
 * set off. What does not fit is drawn once more with shorter texts; those stay while the table has this width.
 *
 * With `keeps`, columns keep the widths that they then have, or they would change with the rows that come into sight. Fonts that
 * come later, another width of the table, and a column that follows its content again have all of that done anew.
 */
export function fitTable(box: HTMLElement, keeps: boolean): () => void {
  const heads = [...box.querySelectorAll('th')];
  let width: number | undefined;
  let isFirst = true;
  let frame = 0;
  const mark = () => markEdges(box);
  const fit = () => {
    const isOther = box.clientWidth !== width;
    width = box.clientWidth;
    if (isOther) {
      letGo(heads);
      box.classList.remove('tight');
    }
    if (box.scrollWidth > width + 1) box.classList.add('tight');
    if (isOther && keeps) hold(heads);
    mark();
  };
  const fitSoon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(fit);
  };
  const observer = new ResizeObserver(() => {
    const hasRoom = box.scrollWidth - box.clientWidth <= 1 && !box.classList.contains('tight');
    if (!hasRoom || (!isFirst && box.clientWidth !== width)) fitSoon();
    else if (isFirst) {
      // It has just been laid out, so that nothing is laid out for this.
      width = box.clientWidth;
      if (keeps) hold(heads);
    }
    isFirst = false;
    mark();
  });
  const fitAnew = () => {
    width = undefined;
    fitSoon();
  };
  observer.observe(box);
  if (box.firstElementChild) observer.observe(box.firstElementChild);
  // Where all fits it only scrolls down, which changes nothing here; to ask would lay out the table once more.
  const markScrolled = () => box.classList.contains('wide') && mark();
  box.addEventListener('scroll', markScrolled, { passive: true });
  document.fonts.addEventListener('loadingdone', fitAnew);
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    box.removeEventListener('scroll', markScrolled);
    document.fonts.removeEventListener('loadingdone', fitAnew);
    letGo(heads);
  };
}

function markEdges(box: HTMLElement): void {
  const gone = Math.abs(box.scrollLeft);
  const hidden = box.scrollWidth - box.clientWidth;
  box.classList.toggle('wide', hidden > 1);
  box.classList.toggle('more-before', gone > 1);
  box.classList.toggle('more-after', gone < hidden - 1);
}

function hold(heads: readonly HTMLElement[]): void {
  const widths = heads.map((head) => head.offsetWidth);
  heads.forEach((head, index) => {
    head.style.minWidth = `${widths[index]}px`;
  });
}

function letGo(heads: readonly HTMLElement[]): void {
  for (const head of heads) head.style.minWidth = '';
}
