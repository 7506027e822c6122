// The package's workers are modules. What latchkey-dev has printed stays on the screen.
export default { worker: { format: 'es' }, clearScreen: false };
