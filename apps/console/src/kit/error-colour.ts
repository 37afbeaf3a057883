import type { Theme } from '@mui/material/styles';

/** Red that small text can be read in, on the paper of both schemes: the main red has a contrast of 3.2 on white. */
export const errorColour = (theme: Theme) => ({
  color: theme.vars!.palette.error.dark,
  ...theme.applyStyles('dark', { color: theme.vars!.palette.error.light }),
});
