import { config } from '../../api/config.ts';
import { session } from '../../api/session.ts';
import { useText } from '../../i18n/text.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { OnceDialog } from '../../kit/form/once-dialog.tsx';
import { accountText } from './account.text.ts';

/** The token, once, and how it is used. */
export function NewApiToken({ token, onClose }: { token: string; onClose: () => void }) {
  const t = useText(accountText).tokens;
  // Customers and administrators have a server each, and a token is known to its owner's alone.
  const { admin_api, user_api } = config();
  const url = (session.role() === 'user' ? user_api : admin_api) || location.origin;
  return (
    <OnceDialog title={t.made} warning={t.once} done={t.kept} onClose={onClose}>
      <CodeBlock label={t.token} text={token} />
      <CodeBlock
        label={t.example}
        text={`curl -H 'Authorization: Bearer ${token}' ${url}/prod-api/auth/info`}
      />
    </OnceDialog>
  );
}
