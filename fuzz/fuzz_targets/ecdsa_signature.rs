#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| latchkey_fuzz::ecdsa_signature(data));

#[cfg(not(fuzzing))]
fn main() {
    println!("run it by: npm run just -- fuzz");
}
