'use client';
import { usePasskeyContext } from '../context.js';
import { Inline } from '../surface/inline.js';
import { MenuViews } from './menu-views.js';
import type { LoginMenuProps } from './props.js';
import { loginMenuCss } from './styles.js';

/** Registers, logs in or recovers: one field, one button, a waiting view, and the code that links this device. */
export function LoginMenu(props: LoginMenuProps) {
  const { theme } = usePasskeyContext();
  return (
    <Inline theme={theme} css={loginMenuCss}>
      <MenuViews {...props} />
    </Inline>
  );
}
