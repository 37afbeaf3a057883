import type { Product } from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { ProductForm } from './product-form.tsx';
import { productText } from './product.text.ts';

/** What can be done with a product, in the list and on its page, and the dialogs of it. */
export function useProductActions({ leave }: { leave?: () => Promise<unknown> } = {}) {
  const t = useText(productText);
  const kit = useText(kitText);
  const editing = useRowDialog<Product>({
    route: 'updateProduct',
    label: kit.edit,
    icon: 'edit',
    render: (product, close) => <ProductForm product={product} onClose={close} />,
  });
  const removal = useRemoval<Product>('removeProduct', {
    text: t,
    body: ({ name }) => t.removeBody(name),
    leave,
  });
  return {
    actionsFor: (product: Product): RowAction[] => [
      editing.action(product),
      removal.action(product, product.order_count > 0 && t.hasOrders),
    ],
    dialogs: (
      <>
        {editing.dialog}
        {removal.dialog}
      </>
    ),
  };
}
