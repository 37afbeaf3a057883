import { tagColours, tagInput, type Tag } from '@breakwater/contract';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { tagText } from './tag.text.ts';

/** A name and a colour to sort sites by. One owner has up to 200. */
export function TagForm({ tag, onClose }: { tag: Tag | null; onClose: () => void }) {
  const t = useText(tagText);
  const { control, drawer } = useEntityDrawer(tagInput, {
    get: 'getTag',
    create: 'createTag',
    update: 'updateTag',
    entity: tag,
    inputOf: (item) => ({ name: item?.name ?? '', color: item?.color ?? 'blue' }),
    text: t,
    onClose,
  });
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <SelectInput
        control={control}
        name="color"
        label={t.color}
        options={tagColours.map((value) => ({ value, label: t.colors[value] }))}
      />
    </FormDrawer>
  );
}
