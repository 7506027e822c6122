// A hostile host that got text into the wallet's page: the browser makes no script and no markup of it.
// Specification: frame 10
import { accountOf } from '../support/wallet.js';
import {
  confirm,
  confirmButton,
  connect,
  endOf,
  expect,
  register,
  start,
  test,
} from './attack-host/fixture.js';

const EVIL = 'http://evil.localhost';

test('text in the page of the wallet becomes neither script nor markup, and the wallet works without [S20]', async ({
  open,
  places,
  username,
}) => {
  const host = await open(places.neighbour);
  await connect(host);
  const frame = host.page.frames().find((one) => one.url().startsWith(places.wallet));
  const sinks = await frame?.evaluate((evil) => {
    const script = document.createElement('script');
    const frame = document.createElement('iframe');
    const own = `${location.origin}/sdk`;
    const attempts: Record<string, () => unknown> = {
      markup: () => (document.body.innerHTML = `<img src="${evil}/x">`),
      'markup next to an element': () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
      'a parsed document': () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
      'a document of a frame': () => (frame.srcdoc = '<script>0</script>'),
      'the address of a script': () => (script.src = `${evil}/x.js`),
      'the text of a script': () => (script.text = 'alert(1)'),
      'a timer': () => setTimeout('alert(1)' as never),
      'a worker elsewhere': () => new Worker(`${evil}/signer.worker.js`),
      'a worker of other text': () => new Worker('data:text/javascript,0'),
      'a file that is no worker': () => new Worker(`${own}/evil.js`),
      'a worker file with a query': () => new Worker(`${own}/signer.worker.js?x=.worker.js`),
      'another policy': () =>
        (
          globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('evil', {}),
      'another default policy': () =>
        (
          globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('default', {}),
    };
    return Object.entries(attempts).map(([what, attempt]) => {
      try {
        attempt();
        return `${what}: taken`;
      } catch (error) {
        return `${what}: ${(error as Error).name}`;
      }
    });
  }, EVIL);
  expect(sinks?.filter((line) => !line.endsWith(': TypeError'))).toEqual([]);
  expect(sinks).toHaveLength(13);

  // Its own workers, dialogs and key viewer still run.
  const nearAccountId = await register(host, username);
  const id = await start(host, 'PM_EXECUTE_ACTION', {
    nearAccountId,
    receiverId: accountOf(username),
    actionArgs: { type: 'Transfer', amount: '1' },
  });
  await expect(confirmButton(host)).toBeEnabled();
  await confirm(host);
  expect(await endOf(host, id)).toMatchObject({ payload: { result: { success: true } } });
});
