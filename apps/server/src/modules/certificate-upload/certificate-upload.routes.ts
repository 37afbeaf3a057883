import { certificateUploadRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { previewUpload, uploadMany } from './certificate-upload.ts';

export const certificateUploadModule = implement(certificateUploadRoutes, {
  previewCertificates: ({ services, session, scope, body, language }) =>
    previewUpload(services, { session, scope }, body, language),
  uploadCertificates: ({ services, session, scope, body }) => uploadMany(services, { session, scope }, body),
});
