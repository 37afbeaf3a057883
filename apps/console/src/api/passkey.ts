/**
 * Whether this page can use passkeys: WebAuthn wants HTTPS, or localhost, and a name as the host (WebAuthn Level 3 §5.1.3;
 * an address has no effective domain).
 */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname);
