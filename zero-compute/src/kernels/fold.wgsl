// What is folded and how. Minimum and maximum compare order keys, so that the sign of a zero never depends on the device.
// Sums of floats add what is loaded and do nothing else with it, so that a driver has no product to fuse and no difference
// to cancel: they need no barrier.

// @when OP sum
alias K = T;
fn identity() -> K { return T(0); }
fn enter(value: T) -> K { return value; }
fn leave(value: K) -> T { return value; }
fn fold(a: K, b: K) -> K { return a + b; }
// @end
// @when OP min
alias K = u32;
fn identity() -> K { return GREATEST_KEY; }
fn enter(value: T) -> K { return to_key(value); }
fn leave(value: K) -> T { return from_key(value); }
fn fold(a: K, b: K) -> K { return min(a, b); }
// @end
// @when OP max
alias K = u32;
fn identity() -> K { return LEAST_KEY; }
fn enter(value: T) -> K { return to_key(value); }
fn leave(value: K) -> T { return from_key(value); }
fn fold(a: K, b: K) -> K { return max(a, b); }
// @end
