#!/usr/bin/env node
// Usage: npm create latchkey [folder] [-- --template vite-react|next|plain|hono] [--wallet URL --relay URL [--registry ID]] [--from DIR]
// What is not named is asked for on a terminal. Elsewhere it is an error.

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  stop(`Latchkey needs Node 20.19 or later, and this is ${process.versions.node}. Nothing was written.`);
// An old Node does not have all of these: imported before the check, they would end it without the sentence.
const { createInterface } = await import('node:readline/promises');
const { parseArgs } = await import('node:util');
const { createProject, folderProblem, servicesProblem, TEMPLATES, tarballsProblem, templateProblem } =
  await import('./create.js');

const USAGE = `Usage: npm create latchkey <folder> -- --template <template>

Templates:
${Object.entries(TEMPLATES)
  .map(([name, { what }]) => `  ${name.padEnd(12)}${what}`)
  .join('\n')}

--wallet URL --relay URL: uses a wallet and a relay that run already, instead of a local stack.
--registry ID: the registry of that wallet, if it is not w3a-v1.testnet.
--from DIR: takes the packages of Latchkey from the tarballs in DIR, such as those of a version that is not published.`;

/** Ends the program with a sentence. */
function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        template: { type: 'string', short: 't' },
        from: { type: 'string' },
        wallet: { type: 'string' },
        relay: { type: 'string' },
        registry: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return stop(`${error.message}\n\n${USAGE}`);
  }
}

/** Asks until the answer has no problem. An empty answer is the default. */
async function ask(terminal, question, fallback, problemOf) {
  for (;;) {
    const answer = (await terminal.question(`${question} (${fallback}): `)).trim() || fallback;
    const problem = problemOf(answer);
    if (problem === null) return answer;
    console.log(problem);
  }
}

/** Asks for what the arguments do not name. */
async function askForRest(folder, template) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and the end of the input leave a question without an answer.
  terminal.once('close', () => stop('\nNothing was written.'));
  const answers = {
    folder: folder ?? (await ask(terminal, 'Folder', 'my-app', folderProblem)),
    template:
      template ??
      (await ask(terminal, `Template: ${Object.keys(TEMPLATES).join(', ')}`, 'vite-react', templateProblem)),
  };
  terminal.removeAllListeners('close');
  terminal.close();
  return answers;
}

const { values, positionals } = readArguments();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (positionals.length > 1) stop(`Name one folder, not ${positionals.length}.\n\n${USAGE}`);
const [named] = positionals;
const problem =
  (named === undefined ? null : folderProblem(named)) ??
  (values.template === undefined ? null : templateProblem(values.template)) ??
  servicesProblem(values) ??
  (values.from === undefined ? null : tarballsProblem(values.from));
if (problem !== null) stop(problem);
const isWhole = named !== undefined && values.template !== undefined;
if (!isWhole && !process.stdin.isTTY) stop(`Name the folder and the template.\n\n${USAGE}`);
const { folder, template } = isWhole
  ? { folder: named, template: values.template }
  : await askForRest(named, values.template);

const { from, wallet, relay, registry } = values;
createProject(folder, template, { from, wallet, relay, registry });
console.log(`Made ${folder} from the template ${template}. Next:

  cd ${folder}
  npm install
  npm run dev

Then open http://localhost:5180. ${
  wallet === undefined
    ? 'The last command starts a local chain, a relay and a wallet, and the app with them.'
    : `The app uses the wallet at ${wallet} and the relay at ${relay}, which .env names.`
}`);
