import { latchkeyButton } from 'latchkey-react/vite';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [latchkeyButton()] });
