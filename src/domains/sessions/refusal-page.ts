import { hash } from 'node:crypto';
import { Html, html } from '../../platform/documents/html.ts';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import type { RefusalPage } from '../../platform/http/errors.ts';

/**
 * The page a person sees when a login is refused. It shows nothing that came with the request, so a link cannot put
 * text on it.
 */

/** Texts for people, for codes whose catalogue message is meant for programs. */
const REASONS: Readonly<Record<string, string>> = {
  VALIDATION_FAILED: 'The address that led here is not one of this service.',
  RETURN_TO_NOT_ALLOWED:
    'The page that sent you here wants you back at an address this service does not know.',
  INTERNAL_ERROR: commonErrors.INTERNAL_ERROR.entry.message,
};

const reasonOf = ({ code, message }: ServiceError): string => REASONS[code] ?? message;

export interface RefusalPageOptions {
  baseUrl: string;
  /** The stylesheet of all pages, embedded, so that the page loads nothing else. */
  style: string;
}

export const refusalPage = ({ baseUrl, style }: RefusalPageOptions): RefusalPage => {
  const headers = {
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
  return (refusal, requestId) => ({
    headers,
    body: html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not logged in</title>
<style>${new Html(style)}</style>
<header><nav aria-label="Main"><a href="${baseUrl}/">Competitive matches</a></nav></header>
<main>
<h1>You are not logged in</h1>
<p>${reasonOf(refusal)}</p>
<p><a href="${baseUrl}/auth/login">Log in again</a></p>
<p class="quiet">${refusal.code}<br>Request ${requestId}</p>
</main>
</html>
`.text,
  });
};
