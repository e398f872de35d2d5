import { refusalsOf } from '../../platform/http/refusals.ts';
import { categoryErrors } from '../categories/index.ts';
import { mapErrors } from '../maps/index.ts';
import { seasonErrors } from '../seasons/index.ts';
import { poolErrors } from './errors.ts';

/** For the `response` of every route under `/pools`. */
export const refusals = refusalsOf({ ...seasonErrors, ...categoryErrors, ...mapErrors, ...poolErrors });
