import { browserVerifyRule } from '@breakwater/contract';
import { verifyPage } from '@breakwater/policy/protect/verify-page';
import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useLanguage } from '../../../../i18n/language.ts';
import { useText } from '../../../../i18n/text.ts';
import type { VerifyControl } from './verify.tsx';
import { siteVerifyText } from './verify.text.ts';

/** The page as nodes make it, but for a picture, in a frame that may do nothing. */
export function VerifyPreview({ control }: { control: VerifyControl }) {
  const t = useText(siteVerifyText);
  const language = useLanguage();
  const [open, setOpen] = useState(false);
  const typed = useWatch({ control });
  // What is half typed may not suit the schema; then the page is shown as by default.
  const settings = browserVerifyRule.safeParse(typed).data ?? browserVerifyRule.parse({});
  const page = verifyPage({
    settings,
    language,
    challenge: { kind: settings.kind, issued: 0, difficulty: settings.difficulty, nonce: '' },
    token: '',
    picture: undefined,
    cspNonce: '',
    form: undefined,
    isPost: false,
    requestId: '0123456789abcdef0123456789abcdef',
    toJson: JSON.stringify,
    hasOtherWay: settings.external_fallback === 'always',
    isPreview: true,
  });
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        size="small"
        sx={{ alignSelf: 'flex-start' }}
        onClick={() => setOpen(true)}
      >
        {t.preview}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} fullWidth maxWidth="md">
        <DialogTitle>{t.previewTitle}</DialogTitle>
        <DialogContent>
          <Box
            component="iframe"
            title={t.previewFrame}
            // No scripts: the page would otherwise start its challenge.
            sandbox=""
            srcDoc={page}
            sx={{ width: 1, height: 360, border: 1, borderColor: 'divider', bgcolor: '#fff' }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{t.close}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
