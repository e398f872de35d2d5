import fc from 'fast-check';

// A mutant is found by the first failure; looking for the smallest example would only cost time, as would
// ever more examples of which one in ten finds what there is to find.
fc.configureGlobal({ endOnFailure: true, numRuns: 10 });
