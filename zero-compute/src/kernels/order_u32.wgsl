// Values as unsigned keys of the same order, so that one comparison serves every type.
alias T = u32;
const LEAST_KEY: u32 = 0u;
const GREATEST_KEY: u32 = 0xffffffffu;
fn to_key(value: T) -> u32 { return value; }
fn from_key(key: u32) -> T { return key; }
