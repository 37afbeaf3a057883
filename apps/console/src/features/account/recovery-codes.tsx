import { useText } from '../../i18n/text.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { OnceDialog } from '../../kit/form/once-dialog.tsx';
import { accountText } from './account.text.ts';

/** Codes for whoever loses the device: each works once, and they are shown this once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useText(accountText).twoFactor;
  return (
    <OnceDialog title={t.codes} warning={t.codesOnce} done={t.codesKept} maxWidth="xs" onClose={onClose}>
      <CodeBlock label={t.codes} text={codes.join('\n')} />
    </OnceDialog>
  );
}
