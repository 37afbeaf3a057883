import { Box, Button, FormHelperText, Stack } from '@mui/material';
import { useRef } from 'react';
import { useController } from 'react-hook-form';
import { useChange } from '../../api/change.ts';
import { useDenial } from '../../frame/denial.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput } from '../../kit/fields/inputs.tsx';
import { LineListInput } from '../../kit/fields/list-inputs.tsx';
import { Icon } from '../../kit/icon.tsx';
import type { Fields } from './http-filter-setting.tsx';
import { httpFilterSettingText } from './http-filter-setting.text.ts';

/**
 * Pictures of a category, by what they look like: perceptual hashes of 64 bits, and a picture that one is made of.
 * Pictures match whose hashes differ in few bits.
 */
export function LikeImages({ control, index }: Fields & { index: number }) {
  const t = useText(httpFilterSettingText);
  const name = `categories.${index}` as const;
  const { field } = useController({ control, name: `${name}.image_hashes` });
  const listed = field.value ?? [];
  return (
    <Stack sx={{ gap: 1.5 }}>
      <LineListInput
        control={control}
        name={`${name}.image_hashes`}
        label={t.imageHashes}
        hint={t.imageHashesHint}
        rows={2}
      />
      {/* A hash that is there already is moved to the end, where one sees that it was taken. */}
      <ChooseImage onHash={(hash) => field.onChange([...listed.filter((each) => each !== hash), hash])} />
      <Box sx={{ maxWidth: 320 }}>
        <NumberInput
          control={control}
          name={`${name}.image_distance`}
          label={t.imageDistance}
          hint={t.imageDistanceHint}
        />
      </Box>
    </Stack>
  );
}

/** The picture goes to the server, which answers with its hash and forgets it. */
function ChooseImage({ onHash }: { onHash: (hash: string) => void }) {
  const t = useText(httpFilterSettingText);
  const denial = useDenial()('hashImage');
  const hashImage = useChange('hashImage');
  const chooser = useRef<HTMLInputElement>(null);
  const send = async (file: File) => {
    const image = await inBase64(file);
    hashImage.mutate({ body: { image } }, { onSuccess: ({ hash }) => onHash(hash) });
  };
  const problem = hashImage.error?.fields[0]?.message ?? hashImage.error?.message;
  // Hashes can be entered all the same.
  if (denial !== undefined) return null;
  return (
    <Box>
      <Button
        size="small"
        startIcon={<Icon name="upload" />}
        loading={hashImage.isPending}
        onClick={() => chooser.current?.click()}
      >
        {t.addImage}
      </Button>
      <input
        ref={chooser}
        type="file"
        accept="image/*"
        hidden
        aria-label={t.addImage}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void send(file);
          target.value = '';
        }}
      />
      {problem !== undefined && <FormHelperText error>{problem}</FormHelperText>}
    </Box>
  );
}

const inBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    // `data:TYPE;base64,` stands before it.
    reader.addEventListener('load', () => resolve((reader.result as string).split(',')[1] ?? ''));
    reader.readAsDataURL(file);
  });
