import { Box, Button, CssBaseline, TextField } from '@mui/material';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import { createRoot } from 'react-dom/client';

/** What a sign-in page of MUI weighs with nothing around it: the mark for `bench/console.ts`. */
createRoot(document.getElementById('root')!).render(
  <ThemeProvider theme={createTheme({ cssVariables: true })}>
    <CssBaseline />
    <Box component="form" sx={{ width: 420, mx: 'auto', mt: 20, display: 'grid', gap: 2 }}>
      <h1>Bare</h1>
      <TextField name="username" label="Name" autoFocus />
      <TextField name="password" label="Password" type="password" />
      <Button type="submit" variant="contained">
        Sign in
      </Button>
    </Box>
  </ThemeProvider>,
);
