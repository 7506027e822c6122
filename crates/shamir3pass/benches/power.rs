//! Powers in the 2048-bit group, and what a client does with them.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use latchkey_shamir3pass::{Exponent, Group, ServerKey, Unwrap, Wrap};

fn powers(criterion: &mut Criterion) {
    let group = Group::rfc3526_2048();
    let server = ServerKey::make(&group).unwrap();
    let base = group.element_from_text("AgM").unwrap();
    let short = Exponent::make_short().unwrap();
    criterion.bench_function("2048-bit power, full exponent", |bencher| {
        bencher.iter(|| group.power(&base, &server.d));
    });
    criterion.bench_function("2048-bit power, 256-bit exponent", |bencher| {
        bencher.iter(|| group.power(&base, &short));
    });
    criterion.bench_function("client wrap", |bencher| {
        bencher.iter(|| {
            let wrap = Wrap::start(&group).unwrap();
            let answer = wrap.kek_c(&group);
            wrap.finish(&group, &answer, &[0; 64]).unwrap()
        });
    });
    let kek_s = group.element_to_text(&base);
    criterion.bench_function("client unwrap, first half", |bencher| {
        bencher.iter(|| Unwrap::start(&group, &kek_s).unwrap());
    });
}

criterion_group!(benches, powers);
criterion_main!(benches);
