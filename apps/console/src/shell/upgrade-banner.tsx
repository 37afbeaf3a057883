import { Button, Stack, Typography } from '@mui/material';
import { useApi } from '../api/query.ts';
import { useLanguage } from '../i18n/language.ts';
import { Icon } from '../kit/icon.tsx';

/** What the operator advertises, as the console's setting has it; nothing while it is switched off. */
export function UpgradeBanner() {
  const language = useLanguage();
  const banner = useApi('getConsoleSetting', {}).data?.value.upgrade_banner;
  if (!banner?.shown) return null;
  return (
    <Stack
      component="aside"
      sx={(theme) => ({
        p: 2,
        gap: 1,
        flexShrink: 0,
        borderRadius: 1.5,
        alignItems: 'flex-start',
        color: '#fff',
        background: `linear-gradient(135deg, ${theme.vars!.palette.primary.dark}, ${theme.vars!.palette.primary.darker})`,
      })}
    >
      <Icon name="rocket" size={28} />
      <Typography variant="subtitle2" component="p" sx={{ overflowWrap: 'anywhere' }}>
        {banner.text[language]}
      </Typography>
      {banner.link && (
        <Button
          size="small"
          variant="contained"
          href={banner.link}
          target="_blank"
          rel="noopener"
          sx={{ bgcolor: 'common.white', color: 'grey.900', '&:hover': { bgcolor: 'grey.200' } }}
        >
          {banner.link_text[language] || banner.link}
        </Button>
      )}
    </Stack>
  );
}
