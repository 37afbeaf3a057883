import { providerFields, type ProviderDescription } from '@breakwater/contract';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { useLanguage } from '../../i18n/language.ts';
import { SelectInput, TagsInput, TextInput } from './inputs.tsx';
import { SecretInput } from './secret-input.tsx';

interface ProviderFieldsProps<Values extends FieldValues, Output> {
  control: Control<Values, unknown, Output>;
  /** Where the parameters stand in the form. */
  path: string;
  provider: ProviderDescription;
}

/** The parameters of any provider, drawn from its description. */
export function ProviderFields<Values extends FieldValues, Output>({
  control,
  path,
  provider,
}: ProviderFieldsProps<Values, Output>) {
  const language = useLanguage();
  return providerFields(provider).map(({ name, kind, label, hint, placeholder, options }) => {
    const shared = {
      control,
      name: `${path}.${name}` as FieldPath<Values>,
      label: label[language],
      ...(hint ? { hint: hint[language] } : {}),
    };
    switch (kind) {
      case 'secret':
        return <SecretInput key={name} {...shared} />;
      case 'select':
        return (
          <SelectInput key={name} {...shared} options={options.map((value) => ({ value, label: value }))} />
        );
      case 'list':
        return <TagsInput key={name} {...shared} />;
      case 'text':
        return <TextInput key={name} {...shared} {...(placeholder === undefined ? {} : { placeholder })} />;
    }
  });
}
