package sleep

// For tests of this package.
const SleepLease = sleepLease
