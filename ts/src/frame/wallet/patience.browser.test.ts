import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Confirmer, ConfirmModel, Decision } from '../../confirm/port.js';
import { CANCELLED, HOST_ERROR, LatchkeyError } from '../../errors/frame.js';
import type { Wallet } from '../../wallet.js';
import type { Credentials } from '../../webauthn/credentials.js';
import type { AssertedPasskey } from '../../webauthn/read-credential.js';
import {
  FIRST_PAUSE_MS,
  FORGOTTEN_AFTER_MS,
  LONGEST_PAUSE_MS,
  REFUSALS_IN_A_ROW,
  STOPPED_MS,
  WITHDRAWALS_IN_A_ROW,
} from './limits.js';
import { Patience, patientConfirmer, patientCredentials, patientLogin } from './patience.js';

const HOST = 'https://shop.example';
const NEVER = new AbortController().signal;

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** A user who gives these answers, one to each question, in a frame of the host. */
function frame(patience = new Patience(HOST)) {
  const shown: ConfirmModel[] = [];
  const answers: Decision[] = [];
  const waiting: ((decision: Decision) => void)[] = [];
  const confirmer = patientConfirmer(
    {
      show: (model, signal) => {
        shown.push(model);
        const answer = answers.shift();
        if (answer) return Promise.resolve(answer);
        return new Promise((resolve) => {
          waiting.push(resolve);
          signal.addEventListener('abort', () => resolve('cancel'));
        });
      },
    },
    patience,
  );
  const ask = (behavior: ConfirmModel['behavior'] = 'requireClick', signal = NEVER) =>
    confirmer.show({ kind: 'nep413', behavior } as ConfirmModel, signal);
  const refuse = async (times: number): Promise<void> => {
    for (let index = 0; index < times; index += 1) {
      answers.push('cancel');
      await ask();
    }
  };
  return { patience, shown, answers, waiting, ask, refuse };
}

const codeOf = (question: Promise<unknown>) => question.catch((error: LatchkeyError) => error.code);

describe('a host whose requests the user refuses (frame 8)', () => {
  it('pauses after several in a row, for longer after each further one, and draws nothing meanwhile', async () => {
    const { ask, refuse, shown } = frame();
    await refuse(REFUSALS_IN_A_ROW);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const drawn = shown.length;
      later(pauseMs - 1);
      expect(await codeOf(ask())).toBe('HOST_PAUSED');
      expect(shown).toHaveLength(drawn);
      later(1);
      if (pauseMs === LONGEST_PAUSE_MS) break;
      await refuse(1);
    }
  });

  it('says who pauses, and for how long', async () => {
    const { ask, refuse } = frame();
    await refuse(REFUSALS_IN_A_ROW);
    await expect(ask()).rejects.toThrow(
      `refused several requests of ${HOST} in a row, so the wallet does not ask for it now. Try again in 30 seconds.`,
    );
  });

  it('still pauses after it loaded its frame again, and in another frame [S19]', async () => {
    await frame().refuse(REFUSALS_IN_A_ROW);
    expect(await codeOf(frame().ask())).toBe('HOST_PAUSED');
    const { answers, ask } = frame(new Patience('https://other.example'));
    answers.push('confirm');
    expect(await ask()).toBe('confirm');
  });

  it('does not pause if the user agreed in between, or refused long ago', async () => {
    const { ask, refuse, answers } = frame();
    await refuse(REFUSALS_IN_A_ROW - 1);
    answers.push('confirm');
    await ask();
    await refuse(REFUSALS_IN_A_ROW - 1);
    later(FORGOTTEN_AFTER_MS);
    await refuse(REFUSALS_IN_A_ROW - 1);
    answers.push('confirm');
    expect(await ask()).toBe('confirm');
  });

  it('gains nothing by a request that goes on by itself: that is no answer of the user', async () => {
    const { ask, refuse, answers } = frame();
    await refuse(REFUSALS_IN_A_ROW - 1);
    answers.push('confirm');
    await ask('autoProceed');
    await refuse(1);
    expect(await codeOf(ask())).toBe('HOST_PAUSED');
  });

  it('has the requests that wait in line withdrawn, with the reason', async () => {
    const { ask, refuse, patience } = frame();
    const inLine = [ask(), ask()].map(codeOf);
    await refuse(REFUSALS_IN_A_ROW);
    expect(await Promise.all(inLine)).toEqual(['HOST_PAUSED', 'HOST_PAUSED']);
    expect(patience.isStopped).toBe(false);
  });

  it('pauses too if it takes its questions back again and again', async () => {
    const { ask, shown } = frame();
    for (let index = 0; index < WITHDRAWALS_IN_A_ROW; index += 1) {
      const taking = new AbortController();
      const question = ask('requireClick', taking.signal);
      taking.abort();
      expect(await question).toBe('cancel');
    }
    expect(await codeOf(ask())).toBe('HOST_PAUSED');
    expect(shown).toHaveLength(WITHDRAWALS_IN_A_ROW);
  });

  it('is counted in memory where the browser refuses storage, until it loads its frame again [S61]', async () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('no', 'SecurityError');
    });
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('no', 'SecurityError');
    });
    const { ask, refuse } = frame();
    await refuse(REFUSALS_IN_A_ROW);
    expect(await codeOf(ask())).toBe('HOST_PAUSED');
    const reloaded = frame();
    reloaded.answers.push('confirm');
    expect(await reloaded.ask()).toBe('confirm');
  });

  it('is counted apart from every other host [S61]', async () => {
    await frame().refuse(REFUSALS_IN_A_ROW);
    expect(await codeOf(frame().ask())).toBe('HOST_PAUSED');
    const other = frame(new Patience('https://other.example'));
    other.answers.push('confirm');
    expect(await other.ask()).toBe('confirm');
  });

  it.each(['no JSON', '{}', '{"refusals":-1}', '[]'])(
    'may ask where the stored count is unreadable: %s',
    async (text) => {
      localStorage.setItem(`latchkey:asking:${HOST}`, text);
      const { ask, answers } = frame();
      answers.push('confirm');
      expect(await ask()).toBe('confirm');
    },
  );
});

describe('the offer to stop (frame 8)', () => {
  it('comes with the second question after a refusal, or with several questions at a time', async () => {
    const { ask, refuse, shown, answers } = frame();
    await refuse(2);
    expect(shown.map(({ offersStop }) => offersStop)).toEqual([undefined, true]);
    answers.push('confirm');
    await ask();
    const inLine = frame();
    void inLine.ask();
    void inLine.ask();
    await expect.poll(() => inLine.shown.map(({ offersStop }) => offersStop)).toEqual([undefined, true]);
  });

  it('silences the host in every frame for a day, unless the user allows it again', async () => {
    const { ask, answers, patience, waiting } = frame();
    const first = ask();
    const second = codeOf(ask());
    await expect.poll(() => waiting).toHaveLength(2);
    waiting[0]?.('stop');
    expect(await first).toBe('stop');
    expect(await second).toBe('HOST_STOPPED');
    expect(await codeOf(frame().ask())).toBe('HOST_STOPPED');
    later(STOPPED_MS - 1);
    expect(patience.isStopped).toBe(true);
    later(1);
    answers.push('confirm');
    expect(await ask()).toBe('confirm');

    patience.stop();
    expect(await codeOf(ask())).toBe('HOST_STOPPED');
    patience.allow();
    answers.push('confirm');
    expect(await ask()).toBe('confirm');
  });
});

describe('a passkey prompt (frame 8)', () => {
  const prompts = (end: () => Promise<AssertedPasskey>, patience = new Patience(HOST)) => {
    const credentials: Credentials = { create: () => Promise.reject(new Error('unused')), get: vi.fn(end) };
    const { get } = patientCredentials(credentials, patience);
    return { ask: (signal = NEVER) => get({ challenge: new Uint8Array(32) }, signal), credentials, patience };
  };
  const refusing = () => Promise.reject(new DOMException('not allowed', 'NotAllowedError'));

  it('counts as a question: refused several times, the host pauses before the next prompt', async () => {
    const { ask, credentials } = prompts(refusing);
    for (let index = 0; index < REFUSALS_IN_A_ROW; index += 1)
      await expect(ask()).rejects.toMatchObject({ name: 'NotAllowedError' });
    expect(await codeOf(ask())).toBe('HOST_PAUSED');
    expect(credentials.get).toHaveBeenCalledTimes(REFUSALS_IN_A_ROW);
  });

  it('is no refusal of the user where the browser never showed it', async () => {
    const { ask } = prompts(() =>
      Promise.reject(new DOMException('The document is not focused.', 'NotAllowedError')),
    );
    for (let index = 0; index <= REFUSALS_IN_A_ROW; index += 1)
      await expect(ask()).rejects.toMatchObject({ name: 'NotAllowedError' });
  });

  it('that the user answered starts the count again', async () => {
    const patience = new Patience(HOST);
    patience.refused();
    await prompts(async () => ({}) as AssertedPasskey, patience).ask();
    for (let index = 1; index < REFUSALS_IN_A_ROW; index += 1) patience.refused();
    patience.assertMayAsk();
  });
});

describe('the wait for a slow chain (frame 8)', () => {
  it('counts as refused where the user cancels it, and is not shown while the host pauses', async () => {
    const patience = new Patience(HOST);
    const wait = vi.fn(async () => undefined);
    const confirmer = patientConfirmer({ show: async () => 'cancel', wait } as Confirmer, patience);
    const model = { networkId: 'testnet', theme: 'dark' } as const;
    for (let index = 0; index < REFUSALS_IN_A_ROW; index += 1) await confirmer.wait?.(model, NEVER);
    await expect(confirmer.wait?.(model, NEVER)).rejects.toMatchObject({ code: 'HOST_PAUSED' });
    expect(wait).toHaveBeenCalledTimes(REFUSALS_IN_A_ROW);
  });
});

describe('the scanner', () => {
  const model = { theme: 'dark', check: () => undefined } as const;
  const scanning = (scan: NonNullable<Confirmer['scan']>) => {
    const patience = new Patience(HOST);
    const confirmer = patientConfirmer({ show: async () => 'cancel', scan }, patience);
    return { patience, ask: (signal = NEVER) => codeOf(confirmer.scan?.(model, signal) ?? Promise.reject()) };
  };

  it('gives what it scanned, which is no agreement yet', async () => {
    const { patience, ask } = scanning(async () => 'code');
    patience.refused();
    expect(await ask()).toBe('code');
    expect(patience.offersStop).toBe(true);
  });

  it('counts as refused where the user closes it, and is not shown while the host pauses', async () => {
    const scan = vi.fn(() => Promise.reject(new LatchkeyError(CANCELLED)));
    const { ask } = scanning(scan);
    for (let times = 0; times < REFUSALS_IN_A_ROW; times += 1) expect(await ask()).toBe('CANCELLED');
    expect(await ask()).toBe('HOST_PAUSED');
    expect(scan).toHaveBeenCalledTimes(REFUSALS_IN_A_ROW);
  });

  it('counts nothing for a camera that fails', async () => {
    const { patience, ask } = scanning(() => Promise.reject(new LatchkeyError(HOST_ERROR)));
    expect(await ask()).toBe('HOST_ERROR');
    expect(patience.offersStop).toBe(false);
  });
});

describe('names that a host tries', () => {
  it('are answered only so often: then one that this browser knows has the same refusal as one that it does not [S65]', async () => {
    const patience = new Patience(HOST);
    const known = ['alice.testnet', 'introduced.testnet'];
    let prompts = 0;
    const wallet = {
      getLoginState: async (accountId: string) => ({
        nearAccountId: accountId === 'introduced.testnet' ? accountId : null,
      }),
      loginPasskey: async (accountId: string) => {
        if (!known.includes(accountId)) return { success: false, errorCode: 'NO_LOCAL_ACCOUNT' };
        prompts += 1;
        return { success: true };
      },
    } as unknown as Wallet;
    const served = patientLogin(wallet, patience);
    const end = async (accountId: string) => (await served.loginPasskey(accountId)).errorCode;
    for (let index = 0; index < WITHDRAWALS_IN_A_ROW; index += 1)
      expect(await end(`nobody${index}.testnet`)).toBe('NO_LOCAL_ACCOUNT');
    expect(await end('nobody.testnet')).toBe('HOST_PAUSED');
    expect(await end('alice.testnet')).toBe('HOST_PAUSED');
    expect(prompts).toBe(0);
    expect(await end('introduced.testnet')).toBeUndefined();
    expect(prompts).toBe(1);
    later(FIRST_PAUSE_MS + 1);
    expect(await end('nobody.testnet')).toBe('NO_LOCAL_ACCOUNT');
    expect(await end('alice.testnet')).toBe('HOST_PAUSED');
  });
});
