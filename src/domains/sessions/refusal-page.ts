import { createHash } from 'node:crypto';
import { Html, html } from '../../platform/documents/html.ts';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import type { RefusalPage } from '../../platform/http/errors.ts';

/**
 * The page a person sees when a login is refused. It shows nothing that came with the request, so a link cannot put
 * text on it.
 */

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto 0; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
footer { margin-top: 3rem; font-size: .85rem; opacity: .75; overflow-wrap: anywhere; }`;

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** Texts for people, for codes whose catalogue message is meant for programs. */
const REASONS: Readonly<Record<string, string>> = {
  VALIDATION_FAILED: 'The address that led here is not one of this service.',
  RETURN_TO_NOT_ALLOWED:
    'The page that sent you here wants you back at an address this service does not know.',
  INTERNAL_ERROR: commonErrors.INTERNAL_ERROR.entry.message,
};

const reasonOf = ({ code, message }: ServiceError): string => REASONS[code] ?? message;

/** @param loginUrl the start of a new login */
export const refusalPage =
  (loginUrl: string): RefusalPage =>
  (refusal, requestId) => ({
    headers: HEADERS,
    body: html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not logged in</title>
<style>${new Html(STYLE)}</style>
<h1>You are not logged in</h1>
<p>${reasonOf(refusal)}</p>
<p><a href="${loginUrl}">Log in again</a></p>
<footer>${refusal.code}<br>Request ${requestId}</footer>
</html>
`.text,
  });
