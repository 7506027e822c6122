import { getRequestListener } from '@hono/node-server';
import react from '@vitejs/plugin-react';

/** Answers /api in Vite's own server, so that one process serves the app. After an edit in api/, its sessions are gone. */
const api = {
  name: 'api',
  configureServer(server) {
    const { config } = server;
    const settings = {
      origin: `http://localhost:${config.server.port}`,
      rpcUrls: (config.env.VITE_NEAR_RPC_URL ?? '').split(','),
    };
    let loaded;
    let answer;
    server.middlewares.use(async (request, response, next) => {
      if (!request.url.startsWith('/api/')) return next();
      try {
        const module = await server.ssrLoadModule('/api/app.ts');
        if (module !== loaded) answer = getRequestListener(module.createApi(settings).fetch);
        loaded = module;
        await answer(request, response);
      } catch (error) {
        next(error);
      }
    });
  },
};

// The package's workers are modules. What latchkey-dev has printed stays on the screen.
export default { plugins: [react(), api], worker: { format: 'es' }, clearScreen: false };
