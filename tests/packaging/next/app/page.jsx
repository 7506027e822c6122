import { LoginMenu, showAmount } from 'latchkey-react';
import { KeyIcon } from 'latchkey-react/icons';
import { Status } from './status';

/** A server component: it draws the kit's components, and calls its plain functions itself. */
export default function Page() {
  return (
    <main>
      <p id="price">
        <KeyIcon /> {showAmount('1500000000000000000000000').near} NEAR
      </p>
      <Status />
      <LoginMenu />
    </main>
  );
}
