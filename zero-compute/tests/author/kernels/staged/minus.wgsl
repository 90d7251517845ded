fn signed_of(x: i32) -> i32 {
    return -x;
}
