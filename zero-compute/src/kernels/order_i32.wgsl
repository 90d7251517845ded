// Values as unsigned keys of the same order, so that one comparison serves every type.
alias T = i32;
const LEAST_KEY: u32 = 0u;
const GREATEST_KEY: u32 = 0xffffffffu;
fn to_key(value: T) -> u32 { return bitcast<u32>(value) ^ 0x80000000u; }
fn from_key(key: u32) -> T { return bitcast<i32>(key ^ 0x80000000u); }
