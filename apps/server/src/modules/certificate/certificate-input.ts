import { ApiError, invalid } from '../../api-error.ts';
import { readCertificatePair, type CertificatePair } from './certificate-pem.ts';
import { readPkcs12 } from './pkcs12.ts';

/** What somebody sends: texts in PEM, or a file in base64. */
interface PairInput {
  certificate?: string | undefined;
  private_key?: string | undefined;
  pfx?: string | undefined;
  pfx_password?: string | undefined;
}

/** Whether anything was sent that a certificate is in. */
export const holdsCertificate = ({ certificate = '', pfx = '' }: PairInput): boolean =>
  certificate !== '' || pfx !== '';

/** The pair that was sent; `formerKey` is asked where no key came with it. Throws `invalid_input` at the fields. */
export async function pairOf(
  input: PairInput,
  formerKey: () => Promise<string> | string = () => '',
): Promise<CertificatePair> {
  const { certificate = '', private_key: key = '', pfx = '', pfx_password: password = '' } = input;
  if (pfx === '') return readCertificatePair(certificate, key === '' ? await formerKey() : key);
  const content = await readPkcs12(pfx, password);
  if ('problem' in content)
    throw invalid(content.problem === 'pfx_password' ? 'pfx_password' : 'pfx', content.problem);
  try {
    return readCertificatePair(content.certificates, content.keys);
  } catch (error) {
    // Whatever is wrong with what stands in it, the file is what was sent.
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(
      error.error,
      error.fields.map((field) => ({ ...field, path: 'pfx' })),
    );
  }
}
