/** A page may load files of this service, and has no inline code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Headers of every page, beside those that all answers have. */
export const pageHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  'content-security-policy': POLICY,
  // This service does not know whether other names of the domain speak TLS.
  ...(baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});
