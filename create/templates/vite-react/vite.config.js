import react from '@vitejs/plugin-react';

// The package's workers are modules.
export default { plugins: [react()], worker: { format: 'es' } };
