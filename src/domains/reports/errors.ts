import { errorEntries } from '../../platform/errors.ts';

export const reportErrors = errorEntries({
  REPORT_NOT_FOUND: { status: 404, message: 'There is no such report.' },
  REPORT_TOO_LATE: { status: 409, message: 'A player can be reported until 24 hours after the match.' },
  REPORT_CLOSED: { status: 409, message: 'This report was decided already.' },
});
