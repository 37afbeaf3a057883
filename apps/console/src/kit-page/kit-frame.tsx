import {
  AppBar,
  Box,
  Container,
  FormControlLabel,
  MenuItem,
  Stack,
  Switch,
  Tab,
  Tabs,
  TextField,
  Toolbar,
  Typography,
} from '@mui/material';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Toaster } from 'sonner';
import { language, useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { settings, useSettings } from '../theme/settings.ts';
import { kitPageText } from './kit-page.text.ts';

export function KitFrame() {
  const t = useText(kitPageText);
  const { direction, colorScheme } = useSettings();
  const navigate = useNavigate();
  const current = useLocation({ select: ({ pathname }) => pathname.slice(1) });
  const ids = Object.keys(t.section) as (keyof typeof t.section)[];
  return (
    <>
      <AppBar
        position="sticky"
        color="default"
        elevation={0}
        sx={{ borderBottom: 1, borderColor: 'divider', bgcolor: 'background.paper' }}
      >
        <Toolbar sx={{ gap: 2, flexWrap: 'wrap', py: 1 }}>
          <Typography component="h1" variant="h5" sx={{ mr: 2 }}>
            {t.title}
          </Typography>
          <Switches />
        </Toolbar>
        <Tabs
          value={ids.find((id) => id === current) ?? false}
          aria-label={t.sections}
          variant="scrollable"
          onChange={(_, id: string) => void navigate({ to: `/${id}` })}
          sx={{ px: 3 }}
        >
          {ids.map((id) => (
            <Tab key={id} value={id} label={t.section[id]} data-section={id} />
          ))}
        </Tabs>
      </AppBar>
      <Container component="main" maxWidth="xl" sx={{ py: 4 }}>
        <Outlet />
      </Container>
      <Toaster richColors closeButton position="top-right" dir={direction} theme={colorScheme} />
    </>
  );
}

function Switches() {
  const t = useText(kitPageText);
  const chosen = useLanguage();
  const { colorScheme, contrast, direction } = useSettings();
  const toggles = [
    {
      label: t.dark,
      on: colorScheme === 'dark',
      set: (on: boolean) => settings.set({ colorScheme: on ? 'dark' : 'light' }),
    },
    {
      label: t.contrast,
      on: contrast === 'hight',
      set: (on: boolean) => settings.set({ contrast: on ? 'hight' : 'default' }),
    },
    {
      label: t.rtl,
      on: direction === 'rtl',
      set: (on: boolean) => settings.set({ direction: on ? 'rtl' : 'ltr' }),
    },
  ];
  return (
    <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      <Box sx={{ width: 120 }}>
        <TextField
          select
          label={t.language}
          value={chosen}
          onChange={({ target }) => language.set(target.value === 'en' ? 'en' : 'zh')}
        >
          <MenuItem value="zh" lang="zh-CN">
            {t.chinese}
          </MenuItem>
          <MenuItem value="en" lang="en">
            {t.english}
          </MenuItem>
        </TextField>
      </Box>
      {toggles.map(({ label, on, set }) => (
        <FormControlLabel
          key={label}
          label={label}
          control={<Switch checked={on} onChange={(event) => set(event.target.checked)} />}
        />
      ))}
    </Stack>
  );
}
