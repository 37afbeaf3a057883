import type { List } from '@breakwater/contract';
import {
  CssBaseline,
  Paper,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
} from '@mui/material';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

interface Site {
  id: number;
  domains: string[];
  status: string;
  client_name: string;
  updated_at: string;
}
const columns = ['id', 'domain', 'status', 'customer', 'updated', 'day', 'time'];

/** 200 rows of the API in a table of MUI with nothing around it: the mark for `bench/console.ts`. */
function BareTable() {
  const [sites, setSites] = useState<Site[]>([]);
  useEffect(() => {
    const headers = { authorization: `Bearer ${localStorage.getItem('jwt_access_token')}` };
    void fetch('/prod-api/site?page_size=200', { headers })
      .then((response) => response.json() as Promise<{ data: List<Site> }>)
      .then(({ data }) => setSites(data.list));
  }, []);
  return (
    <TableContainer component={Paper}>
      <Table>
        <TableHead>
          <TableRow>
            {columns.map((column) => (
              <TableCell key={column}>{column}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {sites.map((site) => (
            <TableRow key={site.id} hover>
              <TableCell>{site.id}</TableCell>
              <TableCell>{site.domains.join(', ')}</TableCell>
              <TableCell>{site.status}</TableCell>
              <TableCell>{site.client_name}</TableCell>
              <TableCell>{site.updated_at}</TableCell>
              <TableCell>{new Date(site.updated_at).toLocaleDateString()}</TableCell>
              <TableCell>{new Date(site.updated_at).toLocaleTimeString()}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

createRoot(document.getElementById('root')!).render(
  <ThemeProvider theme={createTheme({ cssVariables: true })}>
    <CssBaseline />
    <BareTable />
  </ThemeProvider>,
);
