use std::path::Path;

use super::TARGETS;

#[test]
fn every_input_of_the_corpus_still_passes() {
    for (name, run) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("corpus")
            .join(name);
        let inputs: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|_| panic!("no corpus for {name}"))
            .collect();
        assert!(!inputs.is_empty(), "no corpus for {name}");
        for input in inputs {
            let path = input.unwrap().path();
            eprintln!("{}", path.display());
            let bytes = std::fs::read(&path).unwrap();
            run(&bytes);
            // And everything near it: each prefix, each byte changed.
            for length in 0..bytes.len().min(512) {
                run(&bytes[..length]);
                let mut changed = bytes.clone();
                changed[length] ^= 0x55;
                run(&changed);
            }
        }
    }
}

#[test]
fn every_target_is_declared_for_cargo_fuzz() {
    let manifest =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")),
            "{name}"
        );
    }
    assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
}
