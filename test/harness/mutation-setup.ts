import fc from 'fast-check';

// A mutant is found by the first failure: looking for the smallest example would only cost time. So would more
// runs than these; with ten, one mutant survived that thirty find.
fc.configureGlobal({ endOnFailure: true, numRuns: 30 });
