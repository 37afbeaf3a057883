import { Button } from '@mui/material';
import { useRef } from 'react';
import { Icon } from '../../kit/icon.tsx';

interface ChooseFilesProps {
  label: string;
  onChoose: (files: File[]) => void;
}

/** Files of certificates and keys, several at once. */
export function ChooseFiles({ label, onChoose }: ChooseFilesProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<Icon name="open" />}
        onClick={() => chooser.current?.click()}
      >
        {label}
      </Button>
      {/* Hidden, with a button in its place: the browser's own field looks different everywhere and has its own language. */}
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={label}
        accept=".pem,.crt,.cer,.key,.txt,.pfx,.p12"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file can be chosen again.
          target.value = '';
          onChoose(files);
        }}
      />
    </>
  );
}
