import fc from 'fast-check';

// A mutant is found by the first failure; looking for the smallest example would only cost time.
fc.configureGlobal({ endOnFailure: true });
