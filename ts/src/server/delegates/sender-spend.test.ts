import { describe, expect, it } from 'vitest';
import { createLog } from '../observe/log.js';
import { createJointSpendMeter, createMemorySpendMeter } from '../relayer/spend.js';
import { createSenderMeters } from './sender-spend.js';

const log = createLog(() => undefined);

describe('the meters of senders', () => {
  it("cap each sender's spending without affecting the others", async () => {
    const meterOf = createSenderMeters(100n);
    const first = await meterOf('alice.testnet').reserve(60n);
    expect(() => meterOf('alice.testnet').reserve(41n)).toThrow(
      expect.objectContaining({
        code: 'spend_cap',
        message: expect.stringContaining('alice.testnet'),
        retryAfterSeconds: expect.any(Number),
      }),
    );
    await meterOf('bob.testnet').reserve(100n);
    await first.commit(10n);
    await meterOf('alice.testnet').reserve(90n);
  });

  it('drop the sender that was silent longest when there are too many', async () => {
    const meterOf = createSenderMeters(1n);
    for (const senderId of ['oldest', 'older']) await meterOf(senderId).reserve(1n);
    meterOf('oldest');
    for (let index = 0; index < 9_999; index += 1) meterOf(`sender-${index}`);
    expect(() => meterOf('oldest').reserve(1n)).toThrow(expect.objectContaining({ code: 'spend_cap' }));
    await meterOf('older').reserve(1n);
  });
});

describe('a joint meter', () => {
  const meter = (capYocto: bigint) => createMemorySpendMeter({ capYocto, log });

  it('counts on each meter, and reserves nothing when one refuses', async () => {
    const [large, small] = [meter(100n), meter(50n)];
    const joint = createJointSpendMeter([large, small]);
    await expect(joint.reserve(51n)).rejects.toMatchObject({ code: 'spend_cap' });
    const whole = await large.reserve(100n);
    await whole.release();

    const reservation = await joint.reserve(50n);
    expect(() => large.reserve(51n)).toThrow('spent');
    await reservation.commit(20n);
    expect(() => small.reserve(31n)).toThrow('spent');
    await (await joint.reserve(30n)).release();
    await large.reserve(80n);
    await small.reserve(30n);
  });
});
