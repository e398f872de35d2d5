/** Milliseconds of the clock that all processes of a machine share and nobody sets. */
export const steadyNow = (): number => Number(process.hrtime.bigint()) / 1e6;

/** The zero of the steady clock, milliseconds since 1970. */
export const steadyOrigin = (): number => Date.now() - steadyNow();
