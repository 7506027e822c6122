import { expect, it } from 'vitest';
import { addressIn } from './open-elsewhere.js';

it('a page opens elsewhere by an address, with its path, query and fragment', () => {
  const page = 'https://app.example/pay?to=bob.near&amount=1#top';
  expect(addressIn('Safari', page)).toBe('x-safari-https://app.example/pay?to=bob.near&amount=1#top');
  expect(addressIn('Chrome', page)).toBe(
    'intent://app.example/pay?to=bob.near&amount=1#top#Intent;scheme=https;package=com.android.chrome;end',
  );
});
