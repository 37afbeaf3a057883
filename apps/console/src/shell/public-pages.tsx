import { Box, Button, Card, CardContent, Container, Stack, Typography } from '@mui/material';
import { useEffect } from 'react';
import { config } from '../api/config.ts';
import { useText } from '../i18n/text.ts';
import { Icon } from '../kit/icon.tsx';
import { LanguageMenu, SchemeToggle } from './header-controls.tsx';
import { Logo } from './logo.tsx';
import { headerHeight } from './nav/nav-look.ts';
import { pagesText } from './pages.text.ts';

interface PublicPageProps {
  title: string;
  lead: string;
  chapters: Record<string, { title: string; body: string }>;
}

export function Faqs() {
  return <PublicPage {...useText(pagesText).faqs} />;
}

export function PrivacyPolicy() {
  return <PublicPage {...useText(pagesText).privacy} />;
}

/** A page that anybody may read, in chapters. */
function PublicPage({ title, lead, chapters }: PublicPageProps) {
  const t = useText(pagesText);
  useEffect(() => {
    document.title = `${title} · ${config().app_name}`;
  }, [title]);
  return (
    <Box sx={{ minHeight: '100vh' }}>
      <Stack
        component="header"
        direction="row"
        sx={{ height: headerHeight, px: { xs: 2, sm: 4 }, alignItems: 'center', gap: 1 }}
      >
        <Logo />
        <Typography variant="h6" component="span" noWrap sx={{ flex: 1 }}>
          {config().app_name}
        </Typography>
        <LanguageMenu />
        <SchemeToggle />
      </Stack>
      <Container component="main" maxWidth="md" sx={{ py: { xs: 3, md: 6 } }}>
        <Typography component="h1" variant="h3">
          {title}
        </Typography>
        <Typography sx={{ color: 'text.secondary', mt: 1, mb: 4 }}>{lead}</Typography>
        <Stack sx={{ gap: 2 }}>
          {Object.entries(chapters).map(([key, chapter]) => (
            <Card component="section" key={key}>
              <CardContent sx={{ p: { xs: 2.5, sm: 3 } }}>
                <Typography component="h2" variant="h6" sx={{ mb: 1 }}>
                  {chapter.title}
                </Typography>
                <Typography variant="body1" sx={{ color: 'text.secondary' }}>
                  {chapter.body}
                </Typography>
              </CardContent>
            </Card>
          ))}
        </Stack>
        <Box sx={{ mt: 4 }}>
          <Button href="/" startIcon={<Icon name="back" />} variant="outlined" color="inherit">
            {t.home}
          </Button>
        </Box>
      </Container>
    </Box>
  );
}
