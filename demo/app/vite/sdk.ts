// The answer for files of the SDK that do not exist.
import type { Plugin, PreviewServer, ViteDevServer } from 'vite';

/** Answers 404 for them, where Vite's servers would answer with the app's page: a browser must not get it for a script. */
export function noPageUnderSdk(sdkBasePath: string): Plugin {
  const folder = `${sdkBasePath.replace(/\/+$/, '')}/`;
  const refuse =
    ({ middlewares }: ViteDevServer | PreviewServer) =>
    () => {
      middlewares.use((request, response, next) => {
        if (!request.originalUrl?.startsWith(folder)) return next();
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
      });
    };
  return { name: 'latchkey-demo-sdk', configureServer: refuse, configurePreviewServer: refuse };
}
