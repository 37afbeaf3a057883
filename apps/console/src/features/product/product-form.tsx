import { cycles, productInput, type Product } from '@breakwater/contract';
import { Box, Divider } from '@mui/material';
import { useLineGroupOptions } from '../../api/options.ts';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput, SelectInput, SwitchInput, TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { SectionHeading } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { productText } from './product.text.ts';

const pair = { display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } };
/** Minor units in one of the currency. */
const minorUnits = 100;

export function ProductForm({ product, onClose }: { product: Product | null; onClose: () => void }) {
  const t = useText(productText);
  const lineGroups = useLineGroupOptions();
  const create = useChange('createProduct', ['listProducts']);
  const update = useChange('updateProduct', ['listProducts', 'getProduct']);
  const form = useSchemaForm(productInput, {
    name: product?.name ?? '',
    description: product?.description ?? '',
    line_group_id: product?.line_group_id ?? lineGroups[0]?.value,
    prices: product?.prices ?? { month: null, quarter: null, half_year: null, year: null },
    limits: product?.limits ?? { sites: null, domains_per_site: null, ports_per_site: null },
    stock: product?.stock ?? null,
    delisted: product?.delisted ?? false,
    prompts: product?.prompts ?? '',
  });
  const { control } = form;
  const submit = submitForm(form, async (body) => {
    await (product ? update.mutateAsync({ params: { id: product.id }, body }) : create.mutateAsync({ body }));
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={product ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="description" label={t.description} rows={2} />
      <SelectInput
        control={control}
        name="line_group_id"
        label={t.lineGroup}
        options={lineGroups}
        hint={t.lineGroupHint}
      />
      <Divider />
      <div>
        <SectionHeading title={t.prices} hint={t.pricesHint} />
      </div>
      <Box sx={pair}>
        {cycles.map((cycle) => (
          <NumberInput
            key={cycle}
            control={control}
            name={`prices.${cycle}`}
            label={t.cycles[cycle]}
            unit={t.currency}
            scale={minorUnits}
            placeholder={t.notSold}
            nullable
          />
        ))}
      </Box>
      <Divider />
      <div>
        <SectionHeading title={t.limits} hint={t.limitsHint} />
      </div>
      <Box sx={pair}>
        <NumberInput
          control={control}
          name="limits.sites"
          label={t.sites}
          placeholder={t.unlimited}
          nullable
        />
        <NumberInput
          control={control}
          name="limits.domains_per_site"
          label={t.domainsPerSite}
          placeholder={t.unlimited}
          nullable
        />
        <NumberInput
          control={control}
          name="limits.ports_per_site"
          label={t.portsPerSite}
          placeholder={t.unlimited}
          nullable
        />
      </Box>
      <NumberInput
        control={control}
        name="stock"
        label={t.stock}
        hint={t.stockHint}
        placeholder={t.unlimited}
        nullable
      />
      <TextInput control={control} name="prompts" label={t.prompts} hint={t.promptsHint} rows={4} />
      <SwitchInput control={control} name="delisted" label={t.delisted} hint={t.delistedHint} />
    </FormDrawer>
  );
}
