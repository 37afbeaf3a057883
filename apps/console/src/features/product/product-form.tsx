import { cycles, productInput, type Product } from '@breakwater/contract';
import { Box, Divider } from '@mui/material';
import { lineGroupChoices, useFirst } from '../../api/options.ts';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput, SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { useFilledFrom } from '../../kit/form/form.tsx';
import { SectionHeading } from '../../kit/page.tsx';
import { limitsOf } from './product-words.ts';
import { productText } from './product.text.ts';

/** Two fields side by side, where there is room. */
const pair = { display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } };
/** Minor units in one of the currency. */
const minorUnits = 100;

/** What is sold: the line group its sites are at, prices by period, and limits. Orders that were sold keep their price. */
export function ProductForm({ product, onClose }: { product: Product | null; onClose: () => void }) {
  const t = useText(productText);
  const firstLineGroup = useFirst('listLineGroups');
  const { form, control, drawer } = useEntityDrawer(productInput, {
    get: 'getProduct',
    create: 'createProduct',
    update: 'updateProduct',
    entity: product,
    inputOf: (item) => ({
      name: item?.name ?? '',
      description: item?.description ?? '',
      line_group_id: item?.line_group_id ?? firstLineGroup,
      // Null: not sold for that long; 0 is free.
      prices: item?.prices ?? { month: null, quarter: null, half_year: null, year: null },
      // Null: unlimited. Limits that came later are absent from older products, which means the same.
      limits: {
        sites: null,
        domains_per_site: null,
        ports_per_site: null,
        address_lists: null,
        address_list_entries: null,
        certificates: null,
        refresh_urls_per_day: null,
        refresh_folders_per_day: null,
        prefetch_urls_per_day: null,
        ...item?.limits,
      },
      stock: item?.stock ?? null,
      delisted: item?.delisted ?? false,
      prompts: item?.prompts ?? '',
    }),
    text: t,
    onClose,
  });
  useFilledFrom(form, 'description', 'name');
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="description" label={t.description} rows={2} />
      <RemoteSelect
        control={control}
        name="line_group_id"
        label={t.lineGroup}
        choices={lineGroupChoices}
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
        {limitsOf(t).map(([field, label]) => (
          <NumberInput
            key={field}
            control={control}
            name={`limits.${field}`}
            label={label}
            placeholder={t.unlimited}
            nullable
          />
        ))}
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
