import { describe, expect, it, onTestFinished } from 'vitest';
import { serveSite } from './node.js';

describe('a wallet server', () => {
  const site = async () => new Response('here');

  it('names a taken port in a sentence that says what to do', async () => {
    const first = await serveSite(site, 0, '127.0.0.1');
    onTestFinished(first.close);
    await expect(serveSite(site, first.port, '127.0.0.1')).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(`port ${first.port} of 127.0.0.1 is taken: end what uses it`),
    });
  });

  it.each([Number.NaN, -1, 1.5, 65_536])('refuses the port %s in a sentence', async (port) => {
    await expect(serveSite(site, port)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('PORT must be a whole number from 0 to 65535'),
    });
  });
});
