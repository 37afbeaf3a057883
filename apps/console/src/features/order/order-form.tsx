import { cycles, orderInput, orderMoveInput, orderTexts, type Order } from '@breakwater/contract';
import { useNavigate } from '@tanstack/react-router';
import { useWatch } from 'react-hook-form';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { clientChoices, lineGroupChoices, soldProducts } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { UnfiledNotice } from '../../frame/unfiled-notice.tsx';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/form/entity-form.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { formatMoney } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { notify } from '../../kit/toast.ts';
import { orderText } from './order.text.ts';

interface OrderCreateFormProps {
  clientId?: number | undefined;
  productId?: number | undefined;
  onClose: () => void;
}

/**
 * Sells a product to a customer, by an operator. It is active at once; customer and product are those that the list is narrowed to.
 */
export function OrderCreateForm({ clientId, productId, onClose }: OrderCreateFormProps) {
  const t = useText(orderText);
  const create = useChange('createOrder');
  const form = useSchemaForm(orderInput, {
    client_id: clientId,
    product_id: productId,
    cycle: undefined,
    another_name: '',
    notes: '',
  });
  const { control } = form;
  const sold = form.watch('product_id');
  // Read for its prices alone, which say for how long it is sold.
  const product = useApi('getProduct', { params: { id: sold ?? 0 } }, { enabled: sold !== undefined });
  const prices = product.data?.prices;
  // Null: not sold for that long. Zero is a price.
  const offered = cycles.filter((cycle) => prices && prices[cycle] !== null);
  const cycleOptions = offered.map((cycle) => {
    const price = prices?.[cycle] ?? 0;
    return { value: cycle, label: `${t.cycles[cycle]} · ${price === 0 ? t.free : formatMoney(price)}` };
  });
  const submit = submitForm(form, async (body) => {
    await create.mutateAsync({ body });
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose}>
      <RemoteSelect control={control} name="client_id" label={t.client} choices={clientChoices} />
      <RemoteSelect control={control} name="product_id" label={t.product} choices={soldProducts} />
      <SelectInput
        control={control}
        name="cycle"
        label={t.cycle}
        options={cycleOptions}
        {...(prices && offered.length === 0 ? { hint: t.noPrice } : {})}
      />
      <TextInput control={control} name="another_name" label={t.anotherName} />
      <TextInput control={control} name="notes" label={t.notes} rows={3} />
    </FormDrawer>
  );
}

/** What can still be changed of an order that was sold: its name and notes, never its price. */
export function OrderNotesForm({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useText(orderText);
  const update = useChange('updateOrderNotes');
  const current = useApi('getOrder', { params: { id: order.id } }, { enabled: false });
  const offer = useUndo();
  const { form, submit, notice } = useEntityForm(orderTexts, {
    entity: order,
    inputOf: (item) => ({ another_name: item?.another_name ?? '', notes: item?.notes ?? '' }),
    update: (params, body) => update.mutateAsync({ params, body }),
    refetch: current.refetch,
    onSaved: (undo) => {
      notify.success(t.saved, undo && offer(undo));
      onClose();
    },
  });
  return (
    <FormDrawer title={t.editNotes} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <TextInput control={form.control} name="another_name" label={t.anotherName} autoFocus />
      <TextInput control={form.control} name="notes" label={t.notes} rows={4} />
    </FormDrawer>
  );
}

/** Moves an order to another line group at once; its sites follow one by one, as a task of its own (docs/operations.md). */
export function OrderMoveForm({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useText(orderText);
  const navigate = useNavigate();
  const mayFollow = useMay()('getTask');
  const move = useChange('changeOrderLineGroup');
  const current = useApi('getOrder', { params: { id: order.id } }, { enabled: false });
  // No undo: taking back half a move would be another move. The task says how far it is.
  const { form, submit, notice } = useEntityForm(orderMoveInput, {
    entity: order,
    inputOf: (item) => ({ line_group_id: item?.line_group_id }),
    update: async (params, body) => {
      const { task_id: open, sites } = await move.mutateAsync({ params, body });
      const task = { label: t.openTask, onClick: () => void navigate(to.tasks({ open: open ?? undefined })) };
      notify.success(t.moved(sites), open !== null && mayFollow ? task : undefined);
    },
    refetch: current.refetch,
    onSaved: onClose,
  });
  const goalId = useWatch({ control: form.control, name: 'line_group_id' });
  const mayAsk = useMay()('getLineGroup') && goalId !== undefined && goalId !== order.line_group_id;
  // A line group may ask for filing numbers: which domains would not be served is told before.
  const goal = useApi('getLineGroup', { params: { id: goalId ?? 0 } }, { enabled: mayAsk }).data;
  return (
    <FormDrawer title={t.move} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <RemoteSelect
        control={form.control}
        name="line_group_id"
        label={t.lineGroup}
        choices={lineGroupChoices}
        hint={t.moveHint(order.site_count)}
      />
      {goal?.filing_required === true && <UnfiledNotice of={{ order_id: order.id }} />}
    </FormDrawer>
  );
}
