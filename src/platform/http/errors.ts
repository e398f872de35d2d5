import { hasZodFastifySchemaValidationErrors } from '@fastify/type-provider-zod';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors, ServiceError } from '../errors.ts';

/** What Fastify itself refuses, in the words of our catalogue. */
const FRAMEWORK_REFUSALS: Record<string, () => ServiceError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => commonErrors.UNSUPPORTED_MEDIA_TYPE(),
  FST_ERR_CTP_BODY_TOO_LARGE: () => commonErrors.PAYLOAD_TOO_LARGE(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    commonErrors.VALIDATION_FAILED({ message: 'The body is not as long as announced.' }),
  FST_ERR_CTP_EMPTY_JSON_BODY: () =>
    commonErrors.VALIDATION_FAILED({ message: 'The body is empty; JSON was expected.' }),
  FST_ERR_CTP_INVALID_JSON_BODY: () =>
    commonErrors.VALIDATION_FAILED({ message: 'The body is not valid JSON.' }),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    commonErrors.VALIDATION_FAILED({ message: 'A part of the address is too long.' }),
  FST_ERR_BAD_URL: () => commonErrors.VALIDATION_FAILED({ message: 'The address is not well formed.' }),
};

function asServiceError(error: FastifyError): ServiceError {
  if (error instanceof ServiceError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.map((issue) => {
      const path = issue.instancePath.replace(/^\//, '').replaceAll('/', '.');
      return {
        path: path === '' ? (error.validationContext ?? 'body') : path,
        message: issue.message ?? 'is invalid',
      };
    });
    const first = fields[0];
    return commonErrors.VALIDATION_FAILED({
      message: first ? `${first.path}: ${first.message}` : undefined,
      details: { fields },
    });
  }
  const framework = FRAMEWORK_REFUSALS[error.code];
  if (framework) return framework();
  // A malformed body is the client's; everything else that nobody named is ours.
  if (error instanceof SyntaxError && error.statusCode === 400)
    return commonErrors.VALIDATION_FAILED({ message: 'The body is not valid JSON.' });
  return commonErrors.INTERNAL_ERROR({ cause: error });
}

/** The one renderer of refusals over HTTP. An unknown error is logged whole and shown as nothing but its id. */
export function renderError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asServiceError(error);
  if (refusal.status >= 500)
    request.log.error({ err: refusal.cause ?? refusal, code: refusal.code }, refusal.message);
  else request.log.info({ code: refusal.code }, 'refused');
  return reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      error: {
        code: refusal.code,
        message: refusal.message,
        ...(refusal.details && { details: refusal.details }),
        ...(refusal.code === 'INTERNAL_ERROR' && { requestId: request.id }),
      },
    });
}
