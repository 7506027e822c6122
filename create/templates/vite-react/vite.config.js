import react from '@vitejs/plugin-react';

// The package's workers are modules. What latchkey-dev has printed stays on the screen.
export default { plugins: [react()], worker: { format: 'es' }, clearScreen: false };
