import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const port = Number(process.env.APP_PORT ?? 5173);

export default defineConfig({
  plugins: [react()],
  server: { host: 'localhost', port, strictPort: true },
  preview: { host: 'localhost', port, strictPort: true },
  build: { target: 'es2022' },
  // Latchkey starts its workers as modules.
  worker: { format: 'es' },
});
