// Values as unsigned keys of the same order (IEEE 754 total order: -0 before +0), so that one comparison
// serves every type and no float comparison decides anything. The two ends are the keys of the infinities.
alias T = f32;
const LEAST_KEY: u32 = 0x007fffffu;
const GREATEST_KEY: u32 = 0xff800000u;
fn to_key(value: T) -> u32 {
    let bits = bitcast<u32>(value);
    return bits ^ select(0x80000000u, 0xffffffffu, (bits >> 31u) == 1u);
}
fn from_key(key: u32) -> T {
    return bitcast<f32>(key ^ select(0xffffffffu, 0x80000000u, (key >> 31u) == 1u));
}
