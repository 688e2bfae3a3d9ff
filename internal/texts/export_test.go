package texts

// Provider is for tests of this package.
var Provider = provider
