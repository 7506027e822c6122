# Latchkey: the recipes. Each is one line over a script that you can also run yourself.

# Lists the recipes.
default:
    @just --list --unsorted

# Installs what this machine misses to build: npm packages, a WASM target, wasm-pack. tour: also a Chromium. tests: also Redis, and in CI Firefox and WebKitGTK.
setup use="build":
    @scripts/setup.sh {{use}}

# Builds everything, or the parts named: wasm contract contract-p256 contract-dialect contract-tokens contract-multisig devnet ts react dev app.
build *parts: setup
    @scripts/build.sh {{parts}}

# Starts chain, relay, wallet and app until Ctrl-C. --fresh: forget the old chain. --same-origin: the wallet in the app's page. --host ORIGIN: also serve your own app at that origin. --phone: by https at <machine>.local, for a phone in this network.
demo *args: build
    @scripts/demo.sh {{args}}

# Drives the demo in headless Chromium and prints what each step cost. --same-origin: the wallet in the app's page.
tour *args: (setup "tour") build
    @scripts/demo.sh --tour {{args}}

# Prints the key of an account of the local chain, as a relay takes it: just dev-key relayer.testnet.
dev-key account:
    @node --import tsx dev/command/cli.ts key {{account}}

# Packs every package into build/tarballs as npm would have it, for npm create latchkey --from.
pack: build
    @node scripts/pack.mjs

# Prints what each translation lacks; with a language such as fr, all that its translator needs.
texts *language:
    @node --import tsx scripts/texts.ts {{language}}

# Writes the documentation as static pages to build/docs.
docs: build
    @node scripts/docs-site.mjs

# Lint, Rust, Vitest and Chromium. In CI (CI is set) also Firefox, WebKitGTK, the packages as published, and the pictures.
test: (setup "tests") build
    @scripts/test.sh

# Runs parts of the tests so many times while two busy processes share the machine: just test-repeat 5 e2e. Keeps traces.
test-repeat times="5" *parts: (setup "tests") build
    @scripts/test-repeat.sh {{times}} {{parts}}

# Takes pictures of every screen, wide and narrow, light and dark, and lets axe-core look at each. Options as for the tour. --phones: also at a phone's width. --audited: only those that axe-core checks. --languages: the wallet's screens also in its other languages. --webkit: of the main screens in WebKitGTK, next to the others.
pictures *args: (setup "tour") build
    @scripts/demo.sh --pictures {{args}}

# Takes the pictures again and makes those of the documentation from them: docs/pictures.
docs-pictures: (setup "tour") build
    @scripts/demo.sh --pictures && node --import tsx demo/docs-pictures.ts

# Formatters, linters and types: changes nothing.
lint: setup
    @scripts/lint.sh

# Formats every file.
fmt: setup
    @scripts/fmt.sh

# Measures speed, or the parts named: peers chain relay registry frame minute criterion. relays, if named: several relays, and their plot in the docs.
bench *parts: (setup "tour") build
    @scripts/bench.sh {{parts}}

# Runs the relays for so many minutes while everything goes wrong that can, then audits the chain: just soak 10. --redis: the relays share one.
soak minutes="10" *args: (setup "tests") build
    @node --import tsx tests/soak/main.ts {{minutes}} {{args}}

# Registers, pays, links, recovers and revokes on the real testnet; docs/maintainers/testnet.md names the variables. --local: on a local chain.
testnet *args: build
    @node --import tsx tests/testnet/main.ts {{args}}

# Prints the size of each download next to its budget.
size: build
    @node scripts/size.mjs

# Fuzzes each decoder for some seconds: just fuzz 60.
fuzz seconds="20" *targets: setup
    @scripts/fuzz.sh {{seconds}} {{targets}}

# Changes the code in one place at a time and shows what no unit test notices: just mutants ts/src/intent crates/vrf. Without a part, all; docs/maintainers/mutants.md tells how to read it.
mutants *parts: setup
    @scripts/mutants.sh {{parts}}
