// An app key that the relay pays into. It has a relay of its own, which registers with vouchers only.
import { APP } from '../support/oracle.js';
import { outliveFaults } from './harness.js';
import { appKeys } from './keys.js';
import { assertDone, assertOneDevice, fund, loggedIn } from './steps.js';

/** The cap of the account would allow more: the balance of the key tells of a second payment. */
const PREPAID = '0.1';
const PREPAID_YOCTO = String(10n ** 23n);

outliveFaults(
  [
    {
      name: 'an app key that the relay pays into',
      prepare: async (world) => {
        const { accountId, notes, stack } = world;
        await stack.oracle.deployApp();
        const signupVoucher = await stack.voucher(accountId);
        assertDone(
          'The registration',
          await world.call(({ manager }) => manager.registerPasskey(accountId, { signupVoucher })),
        );
        await fund(world);
        notes.set('voucher', await stack.voucher(accountId, PREPAID));
      },
      run: async (world) => {
        const login = await loggedIn(world);
        if (!login.success) return login;
        const { accountId: nearAccountId, notes } = world;
        const options = { signupVoucher: notes.get('voucher') ?? '' };
        let [key] = await appKeys(world);
        if (!key) {
          const added = await world.call(({ manager }) =>
            manager.addAppKey({ nearAccountId, receiverId: APP, prepaid: PREPAID, paidBy: 'relay', options }),
          );
          if (!added.success || added.funding?.success) return added;
          [key] = await appKeys(world);
        }
        if (key?.allowance === PREPAID_YOCTO) return { success: true };
        // The same voucher again: nothing is paid twice.
        const { publicKey = '' } = key ?? {};
        return world.call(({ manager }) =>
          manager.fundAppKey({ nearAccountId, publicKey, prepaid: PREPAID, options }),
        );
      },
      verify: async (world) => {
        const keys = await appKeys(world);
        if (
          keys.length !== 1 ||
          !keys.every(({ isHere, allowance }) => isHere && allowance === PREPAID_YOCTO)
        )
          throw new Error(`one key with ${PREPAID} NEAR was to be there: ${JSON.stringify(keys)}`);
        await assertOneDevice(world);
      },
    },
  ],
  { appKeyCap: '1' },
);
