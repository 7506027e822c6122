/** The text of a file that the page also runs, which vite/code.ts draws. */
declare module '*?code' {
  import type { ComponentProps, ComponentType } from 'react';

  const Code: ComponentType<{ components: { pre: ComponentType<ComponentProps<'pre'>> } }>;
  export default Code;
}
