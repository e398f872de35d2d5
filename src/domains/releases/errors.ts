import { errorEntries } from '../../platform/errors.ts';

export const releaseErrors = errorEntries({
  RELEASE_NOT_FOUND: { status: 404, message: 'No plugin is published for this game version.' },
  SIGNATURE_NOT_FOUND: { status: 404, message: 'The plugin for this game version is not signed.' },
  CHECKSUM_MISMATCH: { status: 422, message: 'The file is not the one the checksum was made of.' },
  NOT_A_BINARY: { status: 422, message: 'A plugin is a PE, an ELF or a zip file.' },
  SIGNATURE_REQUIRED: { status: 422, message: 'A release has to be signed: send X-Signature-Minisign.' },
  SIGNATURE_INVALID: { status: 422, message: 'The signature does not belong to this file.' },
  PLUGIN_VERSION_MISSING: {
    status: 426,
    message: 'The plugin has to say its version.',
    remedy: 'update_plugin',
  },
  PLUGIN_VERSION_NOT_ACCEPTED: {
    status: 426,
    message: 'This plugin version is not accepted.',
    remedy: 'update_plugin',
  },
});
