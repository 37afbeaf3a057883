import { Typography } from '@mui/material';
import type { Data } from '../../api/client.ts';
import { config } from '../../api/config.ts';
import { useText } from '../../i18n/text.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyText } from '../../kit/copy-text.tsx';
import { Facts } from '../../kit/facts.tsx';
import { OnceDialog } from '../../kit/form/once-dialog.tsx';
import { nodeText } from './node.text.ts';

/** Run in the folder of the product. Node itself reads the file. */
const command = 'node --env-file=node.env apps/agent/src/main.ts';

interface NodeCredentialsProps {
  credentials: Data<'createNode'>;
  name: string;
  onClose: () => void;
}

/** Shows the secret of a node, once, and how an agent is started with it. */
export function NodeCredentials({
  credentials: { app_id, app_secret },
  name,
  onClose,
}: NodeCredentialsProps) {
  const t = useText(nodeText);
  // The lines of `node.env`. The node API is served on the customers' port (docs/configuration.md).
  const environment = [
    `CONTROL_PLANE_URL=${config().user_api || location.origin}`,
    `NODE_APP_ID=${app_id}`,
    `NODE_APP_SECRET=${app_secret}`,
    `NODE_NAME=${JSON.stringify(name)}`,
  ].join('\n');
  return (
    <OnceDialog title={t.credentials} warning={t.credentialsOnce} done={t.done} onClose={onClose}>
      <Facts
        columns={1}
        facts={[
          { label: t.appId, value: <CopyText text={app_id} label={t.appId} /> },
          { label: t.appSecret, value: <CopyText text={app_secret} label={t.appSecret} /> },
        ]}
      />
      <Typography variant="body2">{t.credentialsHow}</Typography>
      <CodeBlock label={t.environment} text={environment} />
      <CodeBlock label={t.command} text={command} />
    </OnceDialog>
  );
}
